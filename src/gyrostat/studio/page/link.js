// The connection to the session: messages as JSON, or with arrays behind a header.

/** Return a message from the text or the bytes that came. */
export function decoded(content) {
  if (typeof content === "string") return JSON.parse(content);
  const bytes = content instanceof ArrayBuffer ? content : content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
  const length = new DataView(bytes).getUint32(0, true);
  const message = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const first = 4 + length;
  message.table = message.arrays;
  message.arrays = Object.fromEntries(Object.entries(message.arrays).map(([name, facts]) => [name, arrayOf(bytes, first, facts)]));
  return message;
}

const KINDS = { f8: Float64Array, f4: Float32Array, u1: Uint8Array };

function arrayOf(bytes, first, { kind, shape, offset }) {
  const count = shape.reduce((product, size) => product * size, 1);
  return new KINDS[kind](bytes, first + offset, count);
}

/** A socket to the server that this page came from. */
class SocketLink {
  constructor(onMessage, onEnd) {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => onMessage(decoded(event.data));
    this.socket.onclose = (event) => onEnd(event.reason);
    this.ready = new Promise((done) => { this.socket.onopen = done; });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

/** The widget of a notebook that this page is a frame of. */
class FrameLink {
  constructor(onMessage) {
    addEventListener("message", (event) => {
      if (event.source !== parent || !event.data?.gyrostat) return;
      onMessage(decoded(event.data.gyrostat));
    });
    this.ready = Promise.resolve();
  }

  send(message) {
    parent.postMessage({ gyrostat: message }, "*");
  }
}

export const inNotebook = () => document.documentElement.dataset.place === "notebook";

export function openLink(onMessage, onEnd) {
  return inNotebook() ? new FrameLink(onMessage) : new SocketLink(onMessage, onEnd);
}
