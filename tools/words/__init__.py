"""The texts of the glass in all languages: one table, words.txt, from which the firmware's modules are made."""
