// Where the page gets its data: from the server on loopback, or from the page itself (a report that opens from disk).

import type { ErrorReport, Header, LiveState, Ref } from "./protocol";

export interface Source {
  header(): Promise<Header>;
  /** One-time data; asked for when it is first needed, then kept. */
  buffer(id: number): Promise<ArrayBuffer>;
  /** Rows `first` … `first + count − 1` of header.frames. */
  frames(first: number, count: number): Promise<Float32Array>;
  /** Values of a signal at the times of the header. */
  signal(name: string): Promise<Float64Array>;
  /** Follow a run that still computes; returns what stops the following. */
  live?(listener: (state: LiveState) => void): () => void;
  /** Ask the solver to pause, go on, or stop (results are kept). */
  command?(what: "pause" | "resume" | "stop"): Promise<void>;
  /** Another run served beside this one. */
  other?(run: number): Source;
  /** Names of the files that have changed since the page got their headers. */
  changed?(): Promise<string[]>;
}

/** An error that the server, or the page's data, reports in the project's own words. */
export class SourceError extends Error {
  constructor(readonly report: ErrorReport) {
    super([report.where, report.what, report.why, report.fix].filter(Boolean).join(" · "));
  }
}

function problem(what: string, why = "", fix = ""): SourceError {
  return new SourceError({ where: "viewer", what, why, fix });
}

export class ServerSource implements Source {
  private readonly kept = new Map<string, Promise<ArrayBuffer>>();

  constructor(private readonly token: string, private readonly run = 0) {}

  async header(): Promise<Header> {
    return (await this.get("header")).json();
  }

  buffer(id: number): Promise<ArrayBuffer> {
    return this.keep(`buffer/${id}`, {});
  }

  async frames(first: number, count: number): Promise<Float32Array> {
    const answer = await this.get("frames", { first: String(first), count: String(count) });
    return new Float32Array(await answer.arrayBuffer());
  }

  async signal(name: string): Promise<Float64Array> {
    return new Float64Array(await (await this.get("signal", { name })).arrayBuffer());
  }

  live(listener: (state: LiveState) => void): () => void {
    const events = new EventSource(this.address("live"));
    events.onmessage = (event) => listener(JSON.parse(event.data as string) as LiveState);
    return () => events.close();
  }

  async command(what: "pause" | "resume" | "stop"): Promise<void> {
    await this.get(what, {}, "POST");
  }

  async changed(): Promise<string[]> {
    return ((await (await this.get("changed")).json()) as { changed: string[] }).changed;
  }

  other(run: number): Source {
    return new ServerSource(this.token, run);
  }

  private keep(path: string, query: Record<string, string>): Promise<ArrayBuffer> {
    let found = this.kept.get(path);
    if (!found) {
      found = this.get(path, query).then((answer) => answer.arrayBuffer());
      found.catch(() => this.kept.delete(path));
      this.kept.set(path, found);
    }
    return found;
  }

  private address(path: string, query: Record<string, string> = {}): string {
    const all = new URLSearchParams(query);
    if (this.run) all.set("run", String(this.run));
    all.set("token", this.token);
    return `api/${path}?${all}`;
  }

  private async get(path: string, query: Record<string, string> = {}, method = "GET"): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(this.address(path, query), { method });
    } catch {
      throw problem("the server does not answer", "it was stopped, or the computer slept", "run flexor view again");
    }
    if (answer.ok) return answer;
    const body = (await answer.json().catch(() => null)) as { error?: ErrorReport } | null;
    throw body?.error ? new SourceError(body.error) : problem(`the server refused ${path} (${answer.status})`);
  }
}

/** Data within the page: <script id="flexor-header" type="application/json">, and gzip + base64 in scripts with the ids
 * "buffer-N", "frames" and "signal-N" (N counts header.signals). */
export class EmbeddedSource implements Source {
  private readonly kept = new Map<string, Promise<ArrayBuffer>>();
  private head: Header | null = null;

  static present(): boolean {
    return document.getElementById("flexor-header") !== null;
  }

  async header(): Promise<Header> {
    this.head ??= JSON.parse(document.getElementById("flexor-header")?.textContent ?? "null") as Header;
    return this.head;
  }

  buffer(id: number): Promise<ArrayBuffer> {
    return this.block(`buffer-${id}`);
  }

  async frames(first: number, count: number): Promise<Float32Array> {
    const { width } = (await this.header()).frames;
    const all = new Float32Array(await this.block("frames"));
    return all.subarray(first * width, (first + count) * width);
  }

  async signal(name: string): Promise<Float64Array> {
    const index = (await this.header()).signals.findIndex((signal) => signal.name === name);
    return new Float64Array(await this.block(`signal-${index}`));
  }

  private block(id: string): Promise<ArrayBuffer> {
    let found = this.kept.get(id);
    if (!found) {
      found = this.unpack(id);
      this.kept.set(id, found);
    }
    return found;
  }

  private async unpack(id: string): Promise<ArrayBuffer> {
    const text = document.getElementById(id)?.textContent;
    if (text == null) throw problem(`this report does not hold ${id}`, "it was left out when it was written");
    const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain).arrayBuffer();
  }
}

/** The source this page stands for. */
export function findSource(): Source {
  if (EmbeddedSource.present()) return new EmbeddedSource();
  return new ServerSource(new URLSearchParams(location.search).get("token") ?? "");
}

const types = { f4: Float32Array, u4: Uint32Array, f8: Float64Array };
type Arrays = { f4: Float32Array; u4: Uint32Array; f8: Float64Array };

/** The array a reference of the header points to. */
export async function array<D extends Ref["dtype"]>(source: Source, ref: Ref & { dtype: D }): Promise<Arrays[D]>;
export async function array(source: Source, ref: Ref): Promise<Float32Array | Uint32Array | Float64Array> {
  const bytes = await source.buffer(ref.buffer);
  const count = ref.shape.reduce((product, n) => product * n, 1);
  const Type = types[ref.dtype];
  if (bytes.byteLength < count * Type.BYTES_PER_ELEMENT)
    throw problem(`buffer ${ref.buffer} is cut short`, `${bytes.byteLength} bytes for shape ${ref.shape.join(" × ")}`);
  return new Type(bytes, 0, count);
}

/** Floats of a reference, whatever the header says of its width. */
export async function floats(source: Source, ref: Ref): Promise<Float32Array> {
  const found = await array(source, ref as Ref & { dtype: "f4" });
  return found instanceof Float32Array ? found : Float32Array.from(found);
}

/** Whole numbers of a reference. */
export async function integers(source: Source, ref: Ref): Promise<Uint32Array> {
  return array(source, ref as Ref & { dtype: "u4" });
}
