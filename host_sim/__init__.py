"""The laptop's side of Pouch: the chips around the firmware, a virtual clock, scenarios and a page."""
