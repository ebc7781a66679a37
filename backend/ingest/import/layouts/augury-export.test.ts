import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../../domain/units.ts'
import { END, openImportFolder, type ImportFolder } from '../../../testing/import-folder.ts'
import { EXPORT_COLUMNS, STAMP_COLUMNS } from './augury-export.ts'
import { MARKETS_COLUMNS } from './augury-markets.ts'

let folder: ImportFolder
beforeEach(async () => {
  folder = await openImportFolder()
})
afterEach(() => folder.close())

const TS = 1_763_640_000_000
const csv = (name: string, columns: readonly string[], ...rows: string[]): string =>
  folder.file(name, [columns.join(','), ...rows, ''].join('\n'))
const columnsOf = (kind: keyof typeof EXPORT_COLUMNS): readonly string[] => [
  ...STAMP_COLUMNS,
  ...EXPORT_COLUMNS[kind],
]

describe('an Augury export', () => {
  it('restores quotes with the instants at which they were known, several of one instant in order', async () => {
    const path = csv(
      'quotes.csv',
      columnsOf('quotes'),
      `venue_a,KX-1,${TS},${TS + 700},live,4000,1000000,4200,`,
      `venue_a,KX-1,${TS},${TS + 700},live,4100,,4200,`,
      `venue_a,KX-1,${TS},${TS + 700},live,4000,1000000,4200,`,
      `venue_b,0xAB,${TS},${TS - 1},live,1,,2,`,
      `venue_c,X,${TS},${TS},live,1,,2,`,
      `venue_a,KX-1,${TS},${TS},live,10001,,2,`,
    )
    const [report] = await folder.importFiles([path])
    expect(report).toMatchObject({ layout: 'augury_quotes', rowsTaken: 3, rowsRefused: 3 })
    const market = folder.idOf('KX-1')
    const at = (asOf: number) =>
      folder.history.quotes({ market, from: 0 as Millis, to: END, asOf: asOf as Millis })
    expect(await at(TS + 699)).toEqual([])
    expect((await at(TS + 700)).map(({ bid }) => bid)).toEqual([4000, 4100, 4000])
    const [numbers] = await folder.history.numbersAt((TS + 700) as Millis, [market])
    expect(numbers?.quote).toMatchObject({ bid: 4000, bidSize: 1_000_000, knownAt: TS + 700 })
  })

  it('restores trades, books, bars and counters', async () => {
    const stamp = `venue_a,KX-1,${TS},${TS + 5},polled`
    const reports = await folder.importFiles([
      csv('t.csv', columnsOf('trades'), `${stamp},'-id,5600,2500000,no,true`),
      csv(
        'b.csv',
        columnsOf('book'),
        `${stamp},4000,7000000${','.repeat(9)}4200,8000000${','.repeat(8)}`,
      ),
      csv('c.csv', columnsOf('candles'), `${stamp},${TS - 60_000},60000,1,3,1,2,,,`),
      csv('s.csv', columnsOf('snapshots'), `${stamp},1000000,,2000000,5600`),
    ])
    expect(reports.map(({ layout, rowsTaken, error }) => [layout, rowsTaken, error])).toEqual([
      ['augury_trades', 1, null],
      ['augury_book', 1, null],
      ['augury_candles', 1, null],
      ['augury_snapshots', 1, null],
    ])
    const market = folder.idOf('KX-1')
    const asOf = (TS + 5) as Millis
    expect(await folder.history.trades({ market, from: 0 as Millis, to: END, asOf })).toEqual([
      { tradeId: '-id', ts: TS, price: 5600, size: 2_500_000, takerSide: 'no', isBlock: true },
    ])
    expect((await folder.history.bookAt(market, asOf))?.book).toEqual({
      bids: [{ price: 4000, size: 7_000_000 }],
      asks: [{ price: 4200, size: 8_000_000 }],
    })
    const [numbers] = await folder.history.numbersAt(asOf, [market])
    expect(numbers?.activity).toMatchObject({ volume: 1_000_000, volume24h: null, lastPrice: 5600 })
  })

  it('restores every version of a market as JSON, text for text', async () => {
    const row = {
      ...Object.fromEntries(MARKETS_COLUMNS.map((column) => [column, null])),
      venue: 'venue_b',
      ticker: '0xAB',
      known_at_ms: TS,
      title: '=1+1?',
      event_id: 'e',
      category: 'other',
      tags: '["a","b"]',
      status: 'active',
      exclusive: true,
      price_ranges: '[{"start":0,"end":10000,"step":10}]',
      volume_unit: 'usd',
      aliases: '["12"]',
      asset_ids: '["1","2"]',
    }
    const settled = { ...row, known_at_ms: TS + 9, status: 'settled', result: 'yes' }
    const rows = [row, { ...settled, settlement_price_e4: 10_000 }, { ...row, status: 'odd' }]
    const path = folder.file('markets.json', JSON.stringify(rows))
    const [report] = await folder.importFiles([path])
    expect(report).toMatchObject({ layout: 'augury_markets', rowsTaken: 2, rowsRefused: 1 })
    const versions = await folder.history.versionsOf(folder.idOf('0XAB'), END)
    expect(versions.map(({ knownAt, facts }) => [knownAt, facts.status, facts.title])).toEqual([
      [TS, 'active', '=1+1?'],
      [TS + 9, 'settled', '=1+1?'],
    ])
    expect(versions[0]?.facts).toMatchObject({
      tags: ['a', 'b'],
      exclusive: true,
      aliases: ['12'],
      assetIds: ['1', '2'],
      priceRanges: [{ start: 0, end: 10_000, step: 10 }],
    })
  })

  it('adds nothing the second time', async () => {
    const path = csv('quotes.csv', columnsOf('quotes'), `venue_a,KX-1,${TS},${TS},live,4000,,4200,`)
    await folder.importFiles([path])
    const [again] = await folder.importFiles([path])
    expect(again).toMatchObject({ rowsTaken: 0, rowsKnown: 1, rowsRefused: 0 })
  })
})
