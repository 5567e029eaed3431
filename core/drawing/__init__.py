"""The board and the cards as SVG and PNG."""
