// A WebM file of encoded pictures, each with its own time: Matroska elements (RFC 9559), one track of video.

export interface EncodedPicture {
  /** [ms] from the start. */
  time: number;
  key: boolean;
  data: Uint8Array;
}

/** A cluster's pictures lie at most so far [ms] behind its start (16 bits with sign). */
const REACH = 30_000;

/** The file; codec "V_VP8" or "V_VP9", duration [ms]. */
export function webm(pictures: readonly EncodedPicture[], width: number, height: number, codec: string, duration: number): Uint8Array<ArrayBuffer> {
  const head = element(0x1a45dfa3, element(0x4286, whole(1)), element(0x42f7, whole(1)), element(0x42f2, whole(4)), element(0x42f3, whole(8)),
    element(0x4282, text("webm")), element(0x4287, whole(4)), element(0x4285, whole(2)));
  const info = element(0x1549a966, element(0x2ad7b1, whole(1_000_000)), element(0x4489, float(duration)), element(0x4d80, text("flexor")), element(0x5741, text("flexor")));
  const track = element(0x1654ae6b, element(0xae, element(0xd7, whole(1)), element(0x73c5, whole(1)), element(0x9c, whole(0)),
    element(0x83, whole(1)), element(0x86, text(codec)), element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height)))));
  const clusters: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0; i < pictures.length; ) {
    const start = Math.round(pictures[i].time);
    const blocks: Uint8Array<ArrayBuffer>[] = [];
    do {
      const { time, key, data } = pictures[i++];
      const after = Math.round(time) - start;
      blocks.push(element(0xa3, Uint8Array.of(0x81, after >> 8, after & 255, key ? 0x80 : 0), data));
    } while (i < pictures.length && !pictures[i].key && pictures[i].time - start < REACH);
    clusters.push(element(0x1f43b675, element(0xe7, whole(start)), ...blocks));
  }
  return joined([head, element(0x18538067, info, track, ...clusters)]);
}

/** Identity, length (in eight bytes), content. */
function element(id: number, ...content: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const size = new DataView(new ArrayBuffer(8));
  size.setBigUint64(0, BigInt(length) | (1n << 56n));
  return joined([whole(id), new Uint8Array(size.buffer), ...content]);
}

function whole(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function float(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
