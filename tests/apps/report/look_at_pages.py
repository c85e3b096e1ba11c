# Looks at the pages of belay-report in a browser, for a run of 4 threads and one of 400: each figure
# shows what it should in its colours, no text is cut off or lies on another, and nothing is fetched.
#
#   look_at_pages.py CHROMEDRIVER BELAY_REPORT WRITE_MADE_UP_RUNS [FOLDER]
#
# With FOLDER the screenshots are kept there, for people to look at.
import io
import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

STATES = {"computing": (0, 114, 178), "stealing": (230, 159, 0), "distributing": (0, 158, 115),
          "probing": (204, 121, 167), "idle": (240, 228, 66)}
BLUE, SKY_BLUE, VERMILION = (0, 114, 178), (86, 180, 233), (213, 94, 0)
# Pixels of each colour that a figure must show beside its legend.
WANTED = {
    "life_story": {colour: 300 for colour in STATES.values()},
    "throughput": {SKY_BLUE: 20000, VERMILION: 300},
    "computing": {BLUE: 20000, VERMILION: 300},
    "tasks": {SKY_BLUE: 20000, VERMILION: 300},
    "search_times": {SKY_BLUE: 5000, VERMILION: 100},
    "steal_times": {SKY_BLUE: 5000, VERMILION: 100},
}
LEGEND_FROM = 0.8  # of the width

# Texts of the SVG in the figure that leave it or overlap; ids that occur twice in the page.
FIND_FAULTS = """
const svg = arguments[0], frame = svg.getBoundingClientRect(), faults = [];
const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim())
    .map(t => [t.textContent.trim(), t.getBoundingClientRect()]);
for (const [text, box] of boxes) {
  if (box.left < frame.left || box.right > frame.right || box.top < frame.top ||
      box.bottom > frame.bottom) faults.push('cut off: ' + text);
}
boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
  if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 3 && q.top < p.bottom - 3)
    faults.push('overlap: ' + a + ', ' + b);
}));
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) faults.push('id twice: ' + id);
for (const entry of performance.getEntriesByType('resource')) faults.push('fetched: ' + entry.name);
return faults;
"""


def count_colours(image):
    plot = image.crop((0, 0, int(image.width * LEGEND_FROM), image.height))
    return {colour: count for count, colour in plot.getcolors(plot.width * plot.height)}


def faults_of(name, image):
    colours = count_colours(image)
    if name == "steals":  # on white, from yellow to blue
        drawn = sum(count for colour, count in colours.items()
                    if max(colour) - min(colour) > 16 or 64 < max(colour) < 128)
        return [] if drawn > 1000 else [f"{drawn} pixels of a matrix"]
    return [f"{colours.get(colour, 0)} pixels of {colour}, not {least}"
            for colour, least in WANTED[name].items() if colours.get(colour, 0) < least]


def look_at(driver, page, keep):
    faults = []
    driver.get(page.as_uri())
    headings = driver.find_elements(By.TAG_NAME, "h2")
    figures = driver.find_elements(By.CSS_SELECTOR, "figure > svg")
    if len(headings) != 7 or len(figures) != 7:
        faults.append(f"{page.name}: {len(figures)} figures, not 7")
    for heading, figure in zip(headings, figures):
        name = heading.get_attribute("id")
        png = figure.screenshot_as_png
        if keep:
            (keep / f"{page.stem}.{name}.png").write_bytes(png)
        found = faults_of(name, Image.open(io.BytesIO(png)).convert("RGB"))
        found += driver.execute_script(FIND_FAULTS, figure)
        faults += [f"{page.name}: {name}: {fault}" for fault in found]
    return faults


def main():
    chromedriver, report, write_made_up_runs = sys.argv[1:4]
    keep = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--force-color-profile=srgb", "--window-size=1000,6000"):
        options.add_argument(argument)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        options.add_argument(f"--user-data-dir={folder}/browser")
        subprocess.run([write_made_up_runs, folder], check=True)
        driver = webdriver.Chrome(options=options,
                                  service=Service(chromedriver, log_path=os.devnull))
        try:
            for run in ("small", "large"):
                for kind in (".json", ".trace.json"):
                    file = pathlib.Path(folder) / (run + kind)
                    subprocess.run([report, file], check=True)
                    faults += look_at(driver, file.with_suffix(".html"), keep)
        finally:
            driver.quit()
    print("\n".join(faults) or "all figures are there")
    return 1 if faults else 0


sys.exit(main())
