import { chosenText, download } from '../../../lib/files.ts'
import { isoOf } from '../../../lib/format.ts'
import type { Command } from '../command.ts'
import type { Watchlist } from '../../window/watchlist.svelte.ts'

/** The parts of the terminal that the verbs of the watchlist use. */
export interface Watcher {
  readonly live: { readonly clock: { read(): number } }
  readonly watchlist: Watchlist
  /** The market of a command. */
  marketOf(command: Command): string | null
  showNotice(text: string, tone?: 'info' | 'error'): void
}

const NO_MARKET = 'Name or select a market first; $ marks a ticker'
const FILE = 'augury-watchlist.json'

/** WATCH: adds a market, imports or exports a file; false when its pane should open. */
export function watch(watcher: Watcher, command: Command): boolean {
  const { watchlist, live } = watcher
  if (command.flags.includes('import')) {
    void importWatchlist(watcher)
    return true
  }
  if (command.sink?.kind === 'json') {
    const text = watchlist.file(isoOf(live.clock.read()))
    download(FILE, new Blob([text], { type: 'application/json' }))
    watcher.showNotice(`Wrote ${watchlist.all.length} markets to ${FILE}`)
    return true
  }
  if (command.subject === null) return false
  const ticker = watcher.marketOf(command)
  if (ticker === null) watcher.showNotice(NO_MARKET, 'error')
  else {
    const { ok, text } = watchlist.add(ticker, isoOf(live.clock.read()))
    watcher.showNotice(text, ok ? 'info' : 'error')
  }
  return true
}

export function unwatch(watcher: Watcher, command: Command): boolean {
  const ticker = watcher.marketOf(command)
  if (ticker === null) watcher.showNotice(NO_MARKET, 'error')
  else {
    const { ok, text } = watcher.watchlist.remove(ticker)
    watcher.showNotice(text, ok ? 'info' : 'error')
  }
  return true
}

/** Adds a market to the watchlist or removes it. */
export function toggleWatch(watcher: Watcher, ticker: string): void {
  const { watchlist, live } = watcher
  const { ok, text } = watchlist.has(ticker)
    ? watchlist.remove(ticker)
    : watchlist.add(ticker, isoOf(live.clock.read()))
  watcher.showNotice(text, ok ? 'info' : 'error')
}

/** Imports markets from a chosen file, and returns the result as a message. */
export async function importWatchlist(watcher: Watcher): Promise<void> {
  try {
    const text = await chosenText('application/json,.json')
    if (text === null) return
    const { ok, text: message } = watcher.watchlist.importFile(text)
    watcher.showNotice(message, ok ? 'info' : 'error')
  } catch (error) {
    watcher.showNotice(
      error instanceof Error ? error.message : 'The file could not be read',
      'error',
    )
  }
}
