// Small observable stores, and the part of them that lives in the address of the page.

export type Listener<T> = (value: T, before: T) => void;

/** A record that tells its listeners when a field changes. */
export class Store<T extends object> {
  private readonly listeners = new Set<Listener<T>>();
  private current: T;

  constructor(readonly start: Readonly<T>) {
    this.current = { ...start };
  }

  get value(): Readonly<T> {
    return this.current;
  }

  /** Change some fields; listeners are called once if any of them differs. */
  set(change: Partial<T>): void {
    const keys = Object.keys(change) as (keyof T)[];
    if (keys.every((key) => Object.is(this.current[key], change[key]))) return;
    const before = this.current;
    this.current = { ...before, ...change };
    for (const listener of [...this.listeners]) listener(this.current, before);
  }

  /** Listen to all changes; returns what ends it. */
  subscribe(listener: Listener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Listen to some fields, and be called at once with the value they have. */
  watch(fields: (keyof T)[], listener: Listener<T>): () => void {
    listener(this.current, this.current);
    return this.subscribe((value, before) => {
      if (fields.some((field) => !Object.is(value[field], before[field]))) listener(value, before);
    });
  }
}

/** Keeps chosen fields of stores in the address (after #), so that a link shows what its sender saw. */
export class AddressState {
  private readonly entries = new Map<string, { read: () => unknown; start: unknown }>();
  private readonly given: URLSearchParams;
  private waiting = 0;
  private written = location.hash;

  constructor() {
    this.given = new URLSearchParams(location.hash.slice(1));
  }

  /** Open the view of a link that is followed in this page; our own writing is not told by this event. */
  followLinks(): void {
    addEventListener("hashchange", () => {
      clearTimeout(this.waiting);
      location.reload();
    });
  }

  /** Take the fields from the address where it holds them (of the same type), and write them there when they change. */
  keep<T extends object>(prefix: string, store: Store<T>, fields: (keyof T & string)[]): void {
    const change: Partial<T> = {};
    for (const field of fields) {
      const key = `${prefix}.${field}`;
      this.entries.set(key, { read: () => store.value[field], start: store.start[field] });
      const text = this.given.get(key);
      if (text === null) continue;
      const value = parsed(text);
      if (alike(value, store.start[field])) change[field] = value as T[keyof T & string];
    }
    store.set(change);
    store.subscribe((value, before) => {
      if (fields.some((field) => !Object.is(value[field], before[field]))) this.later();
    });
  }

  /** The part after # that brings this view back. */
  text(): string {
    const out = new URLSearchParams();
    for (const [key, { read, start }] of this.entries) {
      const text = JSON.stringify(read());
      if (text !== JSON.stringify(start)) out.set(key, text);
    }
    return out.toString();
  }

  /** Bring the address up to date at once, unless a link is being followed: its event comes after the address has changed. */
  write(): void {
    if (location.hash !== this.written) return;
    history.replaceState(null, "", `${location.pathname}${location.search}#${this.text()}`);
    this.written = location.hash;
  }

  private later(): void {
    if (this.waiting) return;
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      this.write();
    }, 400);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value from an address may stand in for another of the same kind only. */
function alike(value: unknown, start: unknown): boolean {
  if (Array.isArray(start)) return Array.isArray(value) && (start.length === 0 || value.every((v) => alike(v, start[0])));
  if (typeof value === "number") return typeof start === "number" && Number.isFinite(value);
  return value !== null && typeof value === typeof start;
}
