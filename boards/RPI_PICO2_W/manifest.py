include("$(PORT_DIR)/boards/manifest.py")
include("../manifest.py")
