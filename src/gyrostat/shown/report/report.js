// Animations of a report: each starts when it is first seen, in a frame that can reach neither the report nor a network.
const frame = JSON.parse(document.getElementById("frame").textContent);

function start(figure) {
  const slots = JSON.parse(document.getElementById(figure.dataset.scene).textContent);
  const live = document.createElement("iframe");
  live.setAttribute("sandbox", "allow-scripts allow-downloads");
  live.title = figure.getAttribute("aria-label");
  live.srcdoc = frame.replace(/@(TITLE|HEADER|ARRAYS)@/g, (_, slot) => slots[slot]);
  figure.querySelector(".live").append(live);
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    start(target);
  }
}, { rootMargin: "100px" });
for (const figure of document.querySelectorAll("figure.scene")) seen.observe(figure);
document.documentElement.dataset.state = "ready";
