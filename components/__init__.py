"""What a page shows: plain data in (numpy, frozen dataclasses), no torch and no model code."""
