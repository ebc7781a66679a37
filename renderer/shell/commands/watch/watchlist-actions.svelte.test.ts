import '../../../testing/set-up-page.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { download } from '../../../lib/files.ts'
import { Watchlist } from '../../window/watchlist.svelte.ts'
import { parseLine } from '../parse.ts'
import { toggleWatch, unwatch, watch, type Watcher } from './watchlist-actions.ts'

// jsdom downloads nothing.
vi.mock('../../../lib/files.ts', () => ({ download: vi.fn() }))
afterEach(() => vi.clearAllMocks())

const commandOf = (line: string) => {
  const commands = parseLine(line)
  if ('message' in commands || commands[0] === undefined) throw new Error(`no command: ${line}`)
  return commands[0]
}

function watcher() {
  const notices: unknown[][] = []
  const watchlist = new Watchlist({ getItem: () => null, setItem: () => {} })
  const made: Watcher = {
    live: { clock: { read: () => Date.parse('2026-11-20T10:00:00Z') } },
    watchlist,
    marketOf: ({ subject }) => (subject?.kind === 'ticker' ? subject.ticker : null),
    showNotice: (...notice) => void notices.push(notice),
  }
  const tickers = () => watchlist.all.map(({ ticker }) => ticker)
  return { watcher: made, watchlist, notices, tickers }
}

it('WATCH adds a market once, UNWATCH removes it, and each reports it', () => {
  const { watcher: made, watchlist, notices, tickers } = watcher()
  expect(watch(made, commandOf('KX-1 WATCH'))).toBe(true)
  expect(watchlist.all).toEqual([{ ticker: 'KX-1', addedAt: '2026-11-20T10:00:00.000Z' }])
  expect(watch(made, commandOf('KX-1 WATCH'))).toBe(true)
  expect(tickers()).toEqual(['KX-1'])
  expect(unwatch(made, commandOf('KX-1 UNWATCH'))).toBe(true)
  expect(tickers()).toEqual([])
  unwatch(made, commandOf('KX-1 UNWATCH'))
  expect(notices.map(([, tone]) => tone)).toEqual(['info', 'info', 'info', 'error'])
})

it('a key adds and removes the selected market', () => {
  const { watcher: made, tickers } = watcher()
  toggleWatch(made, 'KX-1')
  expect(tickers()).toEqual(['KX-1'])
  toggleWatch(made, 'KX-1')
  expect(tickers()).toEqual([])
})

it('without a market WATCH opens its pane and UNWATCH reports what to name', () => {
  const { watcher: made, notices } = watcher()
  expect(watch(made, commandOf('WATCH'))).toBe(false)
  expect(notices).toEqual([])
  expect(unwatch(made, commandOf('UNWATCH'))).toBe(true)
  expect(notices).toEqual([[expect.stringMatching(/^Name or select a market/), 'error']])
})

it('WATCH to json writes the list to a file and reports how many markets it holds', () => {
  const { watcher: made, notices } = watcher()
  toggleWatch(made, 'KX-1')
  expect(watch(made, commandOf('WATCH to json'))).toBe(true)
  expect(download).toHaveBeenCalledExactlyOnceWith('augury-watchlist.json', expect.any(Blob))
  expect(notices.at(-1)).toEqual(['Wrote 1 markets to augury-watchlist.json'])
})
