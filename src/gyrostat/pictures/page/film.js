// Films and pictures from the page: what is seen, with its background, as a file.

const PER_SECOND = 30;
const KINDS = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export class Film {
  constructor(stage, timeline, title) {
    Object.assign(this, { stage, timeline, title, recorder: null });
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
  }

  /** Whether this browser can record. */
  get possible() {
    return typeof MediaRecorder !== "undefined" && typeof this.canvas.captureStream === "function";
  }

  /** Paint what is seen over the background, in even numbers of pixels; a film keeps the size that it began with. */
  paint() {
    const { canvas } = this.stage;
    if (!this.recorder) {
      const [width, height] = [canvas.width - (canvas.width % 2), canvas.height - (canvas.height % 2)];
      Object.assign(this.canvas, { width, height });
    }
    const { width, height } = this.canvas;
    const style = getComputedStyle(document.documentElement);
    const sky = this.pen.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, style.getPropertyValue("--sky").trim());
    sky.addColorStop(1, style.getPropertyValue("--floor").trim());
    this.pen.fillStyle = sky;
    this.pen.fillRect(0, 0, width, height);
    this.pen.drawImage(canvas, 0, 0, width, height);
  }

  /** Return what is seen as a PNG; it is drawn first, as a canvas of WebGL keeps its picture for one frame only. */
  async picture() {
    await new Promise((done) => { this.stage.afterNextFrame(() => { this.paint(); done(); }); });
    return new Promise((done) => { this.canvas.toBlob(done, "image/png"); });
  }

  async savePicture() {
    download(await this.picture(), `${fileName(this.title)}.png`);
  }

  /** Record the whole motion once at the chosen speed; a second call ends the film early. Return the film. */
  async record(save = true) {
    if (this.recorder) {
      this.recorder.stop();
      return null;
    }
    const { timeline, stage } = this;
    const kind = KINDS.find((one) => MediaRecorder.isTypeSupported(one));
    this.paint();
    const recorder = new MediaRecorder(this.canvas.captureStream(PER_SECOND), { mimeType: kind, videoBitsPerSecond: 8e6 });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => { if (data.size) pieces.push(data); };
    const done = new Promise((resolve) => { recorder.onstop = resolve; });
    this.recorder = recorder;
    const loop = timeline.loop;
    timeline.loop = false;
    timeline.pause();
    timeline.seek(timeline.start);
    recorder.start();
    timeline.play();
    stage.onDrawn = () => {
      this.paint();
      if (!timeline.playing && recorder.state === "recording") recorder.stop();
    };
    await done;
    stage.onDrawn = null;
    timeline.loop = loop;
    timeline.pause();
    this.recorder = null;
    const film = new Blob(pieces, { type: kind });
    if (save) download(film, `${fileName(this.title)}.${kind.includes("mp4") ? "mp4" : "webm"}`);
    return film;
  }
}

const fileName = (title) => title.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_|_$/g, "") || "animation";

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
