"""Animations: a scene as one page that opens in any browser, without a network."""

from gyrostat.pictures.animation.page import notebook_frame, page_html, write_page

__all__ = ["notebook_frame", "page_html", "write_page"]
