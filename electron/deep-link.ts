export const SCHEME = 'augury'
const MAX_LINE_LENGTH = 2_000

export type DeepLink =
  | { readonly kind: 'line'; readonly line: string }
  /** Why it is not followed, as a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string }

const refusedLink = (why: string): DeepLink => ({ kind: 'refused', why })

/**
 * Parses `augury://open?c=LINE`. The page decides whether the line may run, since its table of
 * commands knows which ones write; here only a single line of limited length and nothing else is
 * accepted.
 */
export function readDeepLink(address: string): DeepLink {
  const url = URL.parse(address)
  if (url?.protocol !== `${SCHEME}:`) return refusedLink('The link is not an Augury link')
  // Some systems add a path to the host.
  const target = `${url.host}${url.pathname}`.toLowerCase().replace(/^\/+|\/+$/g, '')
  if (target !== 'open' || url.username !== '' || url.port !== '') {
    return refusedLink('Links can only open panes')
  }
  const names = [...url.searchParams.keys()]
  const line = url.searchParams.get('c')?.trim() ?? ''
  if (names.length !== 1 || line === '') return refusedLink('The link has no command')
  if (line.length > MAX_LINE_LENGTH) return refusedLink('The link’s command is too long')
  // The command must be one line: text after a line break would not be visible.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line)) return refusedLink('The link’s command must be one line')
  return { kind: 'line', line }
}

/** The link among the arguments with which a system starts a program; null when there is none. */
export const linkAmong = (argv: readonly string[]): string | null =>
  argv.find((word) => word.toLowerCase().startsWith(`${SCHEME}:`)) ?? null

/** Arguments that register this program for links. */
export const registration = (
  program: string,
  script: string | null,
): { readonly path: string; readonly args: readonly string[] } => ({
  path: program,
  // Unpacked, the program is Electron itself and needs the script to run.
  args: script === null ? [] : [script],
})
