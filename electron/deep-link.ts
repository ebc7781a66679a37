export const SCHEME = 'augury'
const LONGEST_LINE = 2_000

export type DeepLink =
  | { readonly kind: 'line'; readonly line: string }
  /** Why it is not followed, as a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string }

const refused = (why: string): DeepLink => ({ kind: 'refused', why })

/**
 * Reads `augury://open?c=LINE`. What the line may do is judged by the page, whose table of commands
 * knows which ones write; here only a line of one screen's length and nothing beside it gets through.
 */
export function readDeepLink(address: string): DeepLink {
  const url = URL.parse(address)
  if (url?.protocol !== `${SCHEME}:`) return refused('The link is not one of Augury')
  // Some systems give the host a path of its own.
  const place = `${url.host}${url.pathname}`.toLowerCase().replace(/^\/+|\/+$/g, '')
  if (place !== 'open' || url.username !== '' || url.port !== '') {
    return refused('The link asks for something that links cannot do; they open panes')
  }
  const names = [...url.searchParams.keys()]
  const line = url.searchParams.get('c')?.trim() ?? ''
  if (names.length !== 1 || line === '') return refused('The link names no command')
  if (line.length > LONGEST_LINE) return refused('The command of the link is too long')
  // A line is one line: what hides behind a break would not be seen.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return refused('The command of the link is not one line')
  return { kind: 'line', line }
}

/** The link among the arguments that a system starts a program with; null when there is none. */
export const linkAmong = (argv: readonly string[]): string | null =>
  argv.find((word) => word.toLowerCase().startsWith(`${SCHEME}:`)) ?? null

/** Arguments that have the system start this very program for links. */
export const registration = (
  program: string,
  script: string | null,
): { readonly path: string; readonly args: readonly string[] } => ({
  path: program,
  // Unpacked, the program is Electron itself and has to be told what to run.
  args: script === null ? [] : [script],
})
