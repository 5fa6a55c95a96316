// Search over thousands of names while typing.

export interface Index {
  readonly names: readonly string[];
  /** In small letters, once. */
  readonly small: readonly string[];
}

export function indexed(names: readonly string[]): Index {
  return { names, small: names.map((name) => name.toLowerCase()) };
}

/**
 * Numbers of the names that hold every word of the text, in capital letters or not; * stands for any letters, ? for one.
 *
 * Names that begin with the first word come first, then those in which a part (after . or _) does, then others.
 */
export function search(index: Index, text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return index.names.map((_, i) => i);
  const holds = words.map(matcher);
  const first = words[0];
  const ranks: [number[], number[], number[]] = [[], [], []];
  index.small.forEach((name, i) => {
    if (!holds.every((match) => match(name))) return;
    const at = name.indexOf(first);
    const rank = at === 0 ? 0 : at > 0 && "._ ".includes(name[at - 1]) ? 1 : 2;
    ranks[rank].push(i);
  });
  return ranks.flat();
}

/** A word alone may stand anywhere in the name; with * or ? it is the pattern of the whole name. */
function matcher(word: string): (name: string) => boolean {
  if (!/[*?]/.test(word)) return (name) => name.includes(word);
  const pieces = word.replace(/\*+/g, "*");
  return (name) => wild(pieces, name);
}

/** Whether a pattern with * and ? fits a name; without regular expressions, which a hostile pattern could slow down. */
function wild(pattern: string, name: string): boolean {
  let p = 0;
  let star = -1;
  let kept = 0;
  for (let n = 0; n < name.length; ) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      kept = n;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++kept;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
