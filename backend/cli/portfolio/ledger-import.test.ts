import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'
import { TICKER } from '../../testing/trading-service.ts'

let trading: TradingCommandLine
beforeAll(async () => {
  trading = await startTradingCommandLine()
})
afterAll(() => trading.stop())

/** Imports a file with this content. */
const take = (content: string, ...more: string[]) => {
  const path = join(trading.line.home, 'statement')
  writeFileSync(path, content)
  return trading.line.run(['portfolio', 'import', path, ...more])
}
const entriesOf = async (ticker: string) =>
  (await trading.service.ledger(`?order=asc&mode=live&marketId=${ticker}`)).map(
    ({ action, direction, quantity, priceCents, feeCents, eventType, realizedPnlCents }) => [
      action ?? eventType,
      direction,
      quantity,
      priceCents,
      feeCents,
      realizedPnlCents,
    ],
  )

describe('the transactions of Kalshi', () => {
  const HEADER =
    'type,quantity,market_ticker,side,entry_price_cents,exit_price_cents,open_fees_cents,close_fees_cents,realized_pnl_without_fees_cents,realized_pnl_with_fees_cents,close_timestamp,open_timestamp'
  const rows = [
    `trade,10,${TICKER},yes,40,55,17,18,150,115,2026-11-10T15:00:00-05:00,2026-11-09T15:00:00-05:00`,
    // Prices of YES on a row of NO: 40 cents paid, 70 received.
    'trade,10,KXNO,no,60,30,17,15,300,268,2026-11-10T15:00:00Z,2026-11-09T15:00:00Z',
    'trade,4,KXDONE,yes,80,100,5,0,80,75,2026-11-10T15:00:00Z,2026-11-09T15:00:00Z',
    'trade,6,KXDONE,yes,90,100,4,0,60,56,2026-11-10T15:00:00Z,2026-11-09T16:00:00Z',
  ]

  it('[client.cli.import] become fills and settlements, once', async () => {
    const dry = await take([HEADER, ...rows].join('\r\n'), '--dry-run')
    expect([dry.exit, dry.out]).toEqual([
      0,
      'Would be booked from Kalshi: 6 fills, 1 settlements\nAlready booked: 0 fills, 0 settlements\n',
    ])
    expect(await trading.service.ledger('?mode=live')).toEqual([])
    const done = await take(`\uFEFF${[HEADER, ...rows].join('\n')}\n`)
    expect([done.err, done.out]).toEqual([
      '',
      'Booked from Kalshi: 6 fills, 1 settlements\nAlready booked: 0 fills, 0 settlements\n',
    ])
    expect(await entriesOf(TICKER)).toEqual([
      ['buy', 'yes', 10, 40, 17, null],
      ['sell', 'yes', 10, 55, 18, 115],
    ])
    expect(await entriesOf('KXNO')).toEqual([
      ['buy', 'no', 10, 40, 17, null],
      ['sell', 'no', 10, 70, 15, 268],
    ])
    expect(await entriesOf('KXDONE')).toEqual([
      ['buy', 'yes', 4, 80, 5, null],
      ['buy', 'yes', 6, 90, 4, null],
      ['settlement', 'yes', 10, 100, 0, 131],
    ])
    const again = await take([HEADER, ...rows].join('\n'))
    expect(again.out).toContain('Already booked: 6 fills, 1 settlements')
  })

  it('[client.cli.import] are taken with amounts in dollars and other spellings of the columns', async () => {
    const header =
      'Type,Quantity_FP,Market Ticker,Side,Entry_Price_Dollars,Exit_Price_Dollars,Open_Fees_Dollars,Close_Fees_Dollars,Realized_PNL_Without_Fees_Dollars,Close_Timestamp,Open_Timestamp'
    const row = 'Trade,2.5,KXFP,yes,0.4,0.6,0.01,0.02,0.5,2026-11-10T15:00:00Z,2026-11-09T15:00:00Z'
    expect((await take(`${header}\n${row}\n`)).out).toContain('2 fills')
    expect(await entriesOf('KXFP')).toEqual([
      ['buy', 'yes', 2.5, 40, 1, null],
      ['sell', 'yes', 2.5, 60, 2, 47],
    ])
  })

  it('[client.cli.import] of lots that settled a second apart are one settlement, of which nothing is lost', async () => {
    const lots = [
      'trade,4,KXAPART,yes,80,100,5,0,80,75,2026-11-10T15:00:00Z,2026-11-09T15:00:00Z',
      'trade,6,KXAPART,yes,90,100,4,0,60,56,2026-11-10T15:00:01Z,2026-11-09T16:00:00Z',
    ]
    await take([HEADER, ...lots].join('\n'))
    const entries = await trading.service.ledger('?mode=live&marketId=KXAPART')
    const paid = entries.filter(({ eventType }) => eventType === 'settlement')
    expect(paid.reduce((sum, { cashDeltaCents }) => sum + cashDeltaCents, 0)).toBe(1_000)
    expect(paid).toMatchObject([{ quantity: 10, occurredAt: '2026-11-10T15:00:01.000Z' }])
  })

  it('[client.cli.import] are refused with the missing columns and those of the file', async () => {
    const { exit, err } = await take(
      'type,market_ticker,side,quantity,open_timestamp,close_timestamp\ntrade,KXA,yes,1,,\n',
    )
    expect(exit).toBe(2)
    expect(err).toContain(
      'transactions of Kalshi needs also: entry_price_cents or entry_price_dollars, exit_price_cents',
    )
    expect(err).toContain('The file has: type, market_ticker, side, quantity, open_timestamp')
    const activity = await take(
      'type,Status,Original_Date,Market_Ticker,Direction,Price_In_Cents\nTrade,,2026-11-10,KXA,Yes,40\n',
    )
    expect(activity.err).toContain('it does not say which trades were sales')
  })
})

describe('the history of Polymarket', () => {
  const HASH = (digit: string) => `0x${digit.repeat(64)}`
  const CONDITION = `0x${'7'.repeat(64)}`
  const HEADER = '"marketName",action,usdcAmount,tokenAmount,tokenName,timestamp,hash'

  it('[client.cli.import] finds markets by their titles and lists what it cannot book', async () => {
    const facts = { venue: 'venue_b' as const, ticker: CONDITION, assetIds: ['1', '2'] }
    await trading.service.describe({ ...facts, title: 'Rain, or "sun"?' })
    const rows = [
      `"Rain, or ""sun""?",Buy,4.00,10,Yes,1762000000,${HASH('a')}`,
      `"Deposited funds",Deposit,250,250,USDC,1762000000,${HASH('b')}`,
      `"Rain, or ""sun""?",Sell,3.00,5,Yes,1762000100,${HASH('c')}`,
      `"Unknown",Buy,1,2,Up,1762000000,${HASH('d')}`,
      `"Rain, or ""sun""?",Redeem,5,5,,1762600000,${HASH('e')}`,
      `"Rain, or ""sun""?",Buy,1,2,Cowboys,1762000000,${HASH('f')}`,
    ]
    const before = await take([`\uFEFF${HEADER}`, ...rows].join('\r\n'))
    expect(before.err).toBe('')
    expect(before.out).toBe(
      [
        'Booked from Polymarket: 2 fills, 0 settlements',
        'Already booked: 0 fills, 0 settlements',
        'Line 3: Deposit is no trade',
        'Line 5: no stored market is called "Unknown"',
        'Line 6: the result of "Rain, or "sun"?" is not known yet',
        'Line 7: outcome "Cowboys" is not one of yes and no',
        '',
      ].join('\n'),
    )
    await trading.service.describe({
      ...facts,
      title: 'Rain, or "sun"?',
      status: 'settled',
      result: 'yes',
    })
    // Lists of markets are cached for a minute.
    await trading.service.clock.advance(61_000)
    const after = await take([HEADER, ...rows].join('\n'), '--json')
    expect(JSON.parse(after.out)).toMatchObject({
      venue: 'venue_b',
      inserted: { fills: 0, settlements: 1 },
      duplicates: { fills: 2, settlements: 0 },
    })
    expect(await entriesOf(CONDITION)).toEqual([
      ['buy', 'yes', 10, 40, 0, null],
      ['sell', 'yes', 5, 60, 0, 100],
      ['settlement', 'yes', 5, 100, 0, 300],
    ])
  })
})

describe('rows of the APIs', () => {
  it('[client.cli.import] are taken as JSON or CSV', async () => {
    const fill = {
      trade_id: 'api-1',
      ticker: 'KXAPI',
      action: 'buy',
      side: 'yes',
      count_fp: '3.00',
      yes_price_dollars: '0.4100',
      created_time: '2026-11-10T10:00:00Z',
    }
    expect((await take(JSON.stringify({ fills: [fill], cursor: '' }))).out).toContain('1 fills')
    const csv = `${Object.keys(fill).join(',')}\n${Object.values(fill).join(',')}\n`
    expect((await take(csv)).out).toContain('Already booked: 1 fills')
    const wrong = await take(JSON.stringify([{ ...fill, count_fp: '-1' }]))
    expect(wrong.out).toContain('Line 1: quantity must be above 0')
    expect((await take('{"a":1}')).err).toContain('the file has no rows')
    expect((await take('[')).err).toContain('the file is not valid JSON')
    expect((await trading.line.run(['portfolio', 'import'])).exit).toBe(2)
    expect((await trading.line.run(['portfolio', 'import', 'no-such-file'])).err).toContain(
      'cannot be read',
    )
  })

  it('[client.cli.import] show in attribution and views', async () => {
    const attribution = await trading.line.run(['portfolio', 'attribution', '--group-by', 'venue'])
    expect(attribution.out).toMatch(/venue_a none unknown/)
    expect(attribution.out).toMatch(/Total/)
    await trading.service.send('POST', '/api/portfolio/views', {
      title: 'Cuts come late',
      conviction: 8,
    })
    expect((await trading.line.run(['portfolio', 'views'])).out).toMatch(/Cuts come late +8/)
  })
})
