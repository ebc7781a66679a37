import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import type { TextForm } from '../commands/command.ts'
import { parseLine } from '../commands/parse.ts'
import type { Dock } from '../dock/dock.ts'
import { exportToFile } from './export-to-file.ts'
import { shareAnswer } from './share.ts'
import { waitUntil } from '../../testing/wait-until.ts'

const files: { name: string; type: string; text: Promise<string> }[] = []
vi.mock('../../lib/files.ts', () => ({
  download: (name: string, blob: Blob) => files.push({ name, type: blob.type, text: blob.text() }),
}))

const copied: string[] = []
let isDenied = false
beforeEach(() => {
  files.length = 0
  copied.length = 0
  isDenied = false
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: async (text: string) => {
        if (isDenied) throw new Error('denied')
        copied.push(text)
      },
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const ROWS = [
  { ticker: 'A', price: 41 },
  { ticker: 'B', price: null },
]
const CSV = 'ticker,price\r\nA,41\r\nB,\r\n'

/** Exports a line. The service has two markets; a pane may show others. */
async function share(
  line: string,
  form: TextForm,
  shown: readonly object[] | null = null,
  bodyOf: (path: string) => Answer<object> | object = () =>
    line.startsWith('MOV') ? refused(503, null, 'Not ready') : { markets: ROWS, count: 2 },
) {
  const { terminal, paneOf, requested, stop } = pageUnderTest(bodyOf)
  const commands = parseLine(line)
  if ('message' in commands || commands[0] === undefined) throw new Error(line)
  const pane = paneOf(line)
  pane.visibleRows = () => (shown ?? []) as Record<string, unknown>[]
  const outlet = {
    live: terminal.live,
    paneShowing: () => (shown === null ? null : pane),
    show: () => pane,
    picture: async () => (shown === null ? null : new Blob(['picture'], { type: 'image/png' })),
  }
  const sentence = await shareAnswer(
    outlet,
    commands[0],
    { ticker: 'KX', asOf: null },
    form,
  ).finally(stop)
  return { sentence, requested }
}

it('downloads the answer of the route in each form, named after the command', async () => {
  expect((await share('SCAN oil', 'csv')).sentence).toBe(
    'Saved 2 rows of SCAN oil as augury-scan.csv',
  )
  expect(files).toMatchObject([{ name: 'augury-scan.csv', type: 'text/csv' }])
  expect(await files[0]?.text).toBe(CSV)
  await share('SCAN oil', 'json')
  expect(files[1]).toMatchObject({ name: 'augury-scan.json', type: 'application/json' })
  expect(await files[1]?.text).toBe(JSON.stringify({ markets: ROWS, count: 2 }, null, 2))
  await share('SCAN oil', 'md')
  expect(files[2]).toMatchObject({ name: 'augury-scan.md', type: 'text/markdown' })
  expect(copied).toEqual([])
})

it('copies to the clipboard and saves no file, or states why it cannot', async () => {
  expect((await share('SCAN', 'clip')).sentence).toBe('Copied 2 rows of SCAN')
  expect([copied, files]).toEqual([[CSV], []])
  isDenied = true
  await expect(share('SCAN', 'clip')).rejects.toThrow('The browser denied clipboard access')
})

it('exports the rows that a pane shows without another request', async () => {
  const { sentence, requested } = await share('SCAN', 'csv', [{ ticker: 'C' }])
  expect(sentence).toBe('Saved 1 row of SCAN as augury-scan.csv')
  expect(requested).toEqual([])
  expect(await files[0]?.text).toBe('ticker\r\nC\r\n')
})

it.each([
  ['KX DES', /\/market\/KX\?/, 'ticker,edges\r\nKX,[]\r\n'],
  ['KX XV', /cv_preset=browse/, 'ticker,edges\r\nKX,[]\r\n'],
  ['KX BOOK', /\/market\/KX\?/, 'side,price,size\r\nask,43,2\r\nask,42,1\r\nbid,40,5\r\n'],
  ['KX TAPE 20', /\/market\/KX\/trades\?/, 'id,size\r\nt1,20\r\n'],
  ['ALERT', /^\/api\/watch\?/, 'id\r\nw1\r\n'],
  ['HOOK', /^\/api\/webhook-endpoints\?/, 'id\r\nw1\r\n'],
  ['HOOK we_1', /^\/api\/webhook-endpoints\/we_1\/deliveries\?/, 'id\r\nw1\r\n'],
  ['FORUM signals', /^\/api\/forum\/messages\?channel=signals/, 'text\r\nhello\r\n'],
])('exports the rows of %s', async (line, path, csv) => {
  const level = (price: number, size: number) => ({ price, size })
  const market = { ticker: 'KX', edges: [] }
  const trades = [19, 20].map((size, index) => ({ id: `t${index}`, size }))
  const levels = { bidLevels: [level(40, 5)], askLevels: [level(42, 1), level(43, 2)] }
  const bodyOf = (requested: string) => {
    if (requested.includes('/trades?')) return { ticker: 'KX', trades }
    if (requested.includes('/forum/')) return { messages: [{ text: 'hello' }] }
    if (!requested.includes('/market/')) return { data: [{ id: 'w1' }] }
    return line.endsWith('BOOK') ? { ...market, ...levels } : market
  }
  const { requested } = await share(line, 'csv', null, bodyOf)
  expect(requested).toEqual([expect.stringMatching(path)])
  expect(await files[0]?.text).toBe(csv)
})

it('saves the picture of a chart, if the pane has one', async () => {
  const { sentence } = await share('YC', 'png', [])
  expect(sentence).toBe('Saved the picture of YC as augury-yc.png')
  expect(files).toMatchObject([{ name: 'augury-yc.png', type: 'image/png' }])
  await expect(share('YC', 'png')).rejects.toThrow('YC has no chart here')
})

it('reports why it cannot export', async () => {
  await expect(share('MOV', 'csv')).rejects.toThrow('Not ready')
  await expect(share('TH light', 'csv')).rejects.toThrow('TH has no rows')
  await expect(share('SQL', 'csv')).rejects.toThrow('Type a statement after SQL')
  expect(files).toEqual([])
})

describe('an export of the terminal', () => {
  /** A terminal whose panes have a chart; what the picture has written on it. */
  function setUp(body: object | null = { markets: ROWS, count: 2 }) {
    const written: string[] = []
    const context = new Proxy(
      {},
      {
        get: (_, name) => (text: string) => {
          if (name === 'fillText') written.push(text)
        },
        set: () => true,
      },
    )
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
      done(new Blob(['x'])),
    )
    const rect = { left: 0, top: 0, right: 90, bottom: 90, width: 90, height: 90 }
    vi.spyOn(HTMLCanvasElement.prototype, 'getBoundingClientRect').mockReturnValue(rect as DOMRect)
    const { terminal, paneOf, requested } = pageUnderTest(() => body)
    const host = document.createElement('div')
    host.append(document.createElement('canvas'))
    const framed: string[] = []
    terminal.dock = {
      frame: (id) => {
        framed.push(id)
        return host
      },
      add: () => {},
      activate: () => {},
      describe: () => {},
    } as Partial<Dock> as Dock
    const save = async (line: string, ticker: string | null = null, form: TextForm = 'png') => {
      const commands = parseLine(line)
      if ('message' in commands || commands[0] === undefined) throw new Error(line)
      terminal.notice = null
      exportToFile(terminal, { command: commands[0], ticker, link: 'A', form })
      await waitUntil(() => expect(terminal.notice).not.toBeNull())
      return terminal.notice
    }
    return { terminal, paneOf, save, written, framed, requested }
  }
  afterEach(() => vi.restoreAllMocks())

  it('is as of the past instant of its link group', async () => {
    const AT = '2026-11-19T10:00:00.000Z'
    const { terminal, paneOf, save, written, requested } = setUp()
    terminal.instants.A = AT
    // The pane of the other group shows the market of now.
    const other = paneOf('KX GP 1h')
    other.link = 'B'
    other.visibleRows = () => [{ now: true }]
    expect(await save('KX GP 1h', 'KX', 'csv')).toMatchObject({
      text: 'Saved 2 rows of $KX GP 1h as of 2026-11-19 10:00:00 UTC as augury-gp.csv',
    })
    expect(requested.at(-1)).toContain(`asOf=${encodeURIComponent(AT)}`)
    paneOf('KX GP 1h')
    await save('KX GP 1h', 'KX')
    expect(written).toEqual([
      '$KX GP 1h as of 2026-11-19 10:00:00 UTC · 2026-11-20 10:00:00 UTC · Augury',
    ])
    await save('MOV', null, 'csv')
    expect(requested.at(-1)).not.toContain('asOf')
  })

  it('has a picture of the open pane with its line and time, and marks samples', async () => {
    const { terminal, paneOf, save, written, framed } = setUp()
    const pane = paneOf('YC')
    paneOf('MOV')
    expect(await save('YC')).toEqual({
      tone: 'info',
      text: 'Saved the picture of YC as augury-yc.png',
    })
    terminal.health.holdsSample = true
    await save('YC')
    expect(written).toEqual([
      'YC · 2026-11-20 10:00:00 UTC · Augury',
      'YC · 2026-11-20 10:00:00 UTC · Augury · SAMPLE',
    ])
    expect([new Set(framed), terminal.panes.size]).toEqual([new Set([pane.id]), 2])
  })

  it('opens a pane when none shows the command', async () => {
    const { terminal, save } = setUp()
    await save('YC')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['YC'])
  })

  it('has the pane that follows its market', async () => {
    const { terminal, paneOf, save, framed } = setUp()
    terminal.focusMarket('A', 'KX-1')
    const pane = paneOf('. GP')
    await save('. GP', 'KX-1')
    await save('. GP', 'KX-2')
    expect(framed[0]).toBe(pane.id)
    expect(terminal.panes.size).toBe(2)
  })

  it.each([
    ['CHG 6h to csv', null],
    ['CAL to csv', null],
    ['. CHG to csv', 'KX-1'],
    ['KX-2 CAL to csv', 'KX-2'],
  ])('of %s concerns the market that the command names', async (line, ticker) => {
    const { terminal, requested } = setUp()
    terminal.focusMarket('A', 'KX-1')
    terminal.run(line)
    await waitUntil(() => expect(terminal.notice).not.toBeNull())
    const [path = ''] = requested
    expect(new URL(path, 'http://augury.test').searchParams.get('ticker')).toBe(ticker)
  })

  it('reports why it failed', async () => {
    const { save } = setUp(null)
    expect(await save('SCAN', null, 'csv')).toMatchObject({ tone: 'error' })
    expect(await save('TH light', null, 'csv')).toEqual({
      tone: 'error',
      text: 'TH has no rows',
    })
  })
})
