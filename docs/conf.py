"""Settings of the documentation site; docs/builder/build.py calls Sphinx with them."""

from importlib.metadata import version as installed_version

from builder.inventories import PROJECTS

project = "gyrostat"
author = "The gyrostat developers"
copyright = "the gyrostat developers"
version = release = installed_version("gyrostat")

extensions = ["myst_parser", "sphinx_design", "sphinx.ext.intersphinx", "builder.mathematics"]
html_math_renderer = "katex"
source_suffix = {".md": "markdown"}
exclude_patterns = ["builder", "pictures/*.py", "_extra"]
root_doc = "index"
language = "en"
nitpicky = False
maximum_signature_line_length = 88
add_module_names = False
toc_object_entries = False

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # decisions begin with a status line below their heading

intersphinx_mapping = {  # inventories are files of the build: nothing is fetched
    name: (url, f"_inventories/{name}.inv") for name, (url, _) in PROJECTS.items()
}

html_theme = "pydata_sphinx_theme"
html_title = "gyrostat"
html_favicon = "_static/gyrostat.svg"
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["gyrostat.css"]
html_show_sphinx = False
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "gyrostat", "image_light": "_static/gyrostat.svg", "image_dark": "_static/gyrostat.svg"},
    "show_prev_next": True,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "architecture": [], "benchmarks": [], "reliability": []}
