// The scene that the page carries.
import { readArrays } from "./arrays.js";

const FORMAT = 1;

/** Return header and arrays; the text they came from is let go. */
export async function readScene() {
  const header = JSON.parse(document.getElementById("header").textContent);
  if (header.format !== FORMAT) {
    throw new Error(`its data have format ${header.format}, its script reads ${FORMAT}; install gyrostat anew`);
  }
  const place = document.getElementById("arrays");
  const arrays = await readArrays(place.textContent, header.arrays);
  place.remove();
  return sceneOf(header, arrays);
}

/** Return a scene as the page's parts read it, from its header and its arrays. */
export function sceneOf(header, arrays) {
  return {
    header,
    times: arrays.times,
    positions: arrays.positions,
    quaternions: arrays.quaternions,
    linePoints: header.lines.map((_, k) => ({
      values: arrays[`line${k}`],
      count: header.arrays[`line${k}`].shape[1],
      tones: arrays[`tone${k}`] ?? null,
    })),
    bodyTones: header.bodies.map((_, k) => arrays[`body_tone${k}`] ?? null),
    meshes: Array.from({ length: header.meshes }, (_, k) => ({
      vertices: arrays[`vertices${k}`],
      triangles: arrays[`triangles${k}`],
    })),
    grains: (header.grains ?? []).map((_, k) => ({
      times: arrays[`grain_times${k}`],
      points: arrays[`grain_points${k}`],
      radii: arrays[`grain_radii${k}`],
    })),
    signalTimes: arrays.signal_times,
    signals: Object.keys(arrays).filter((name) => /^signal\d+$/.test(name)).map((_, k) => arrays[`signal${k}`]),
  };
}
