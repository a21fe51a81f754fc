"""The hardware behind the app. Only files in this folder import `machine`."""
