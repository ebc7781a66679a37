const CITATION = /\[([a-z][a-z0-9-]*(?:\.[a-z0-9-]+){2,})\]/g
/** Places for a citation: a text in quotes, or a comment to the end of its line. */
const QUOTED = /'[^'\n]*'|"[^"\n]*"|`[^`]*`|\/\/.*|^\s*\/?\*.*/gm

/** Ids of promises cited in the texts and comments of a test file, in order of appearance. */
export function citationsIn(source: string): string[] {
  return [...source.matchAll(QUOTED)].flatMap(([quoted]) =>
    [...quoted.matchAll(CITATION)].flatMap(([, id]) => id ?? []),
  )
}
