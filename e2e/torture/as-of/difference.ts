const SHOWN = 80

/** For people: the first place where two answers differ, with its surroundings. */
export function differenceOf(first: string, second: string): string {
  let from = 0
  while (from < first.length && first[from] === second[from]) from += 1
  const around = (text: string): string => text.slice(Math.max(0, from - SHOWN), from + SHOWN)
  return `“${around(first)}” became “${around(second)}”`
}
