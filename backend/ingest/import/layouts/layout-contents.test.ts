import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis } from '../../../domain/units.ts'
import { END, openImportFolder, type ImportFolder } from '../../../testing/import-folder.ts'

/**
 * What each layout of recorded tables stores, row by row: facts with the instant from which they are
 * known, prices in 1e-4, sizes and dollars in 1e-6.
 */
let folder: ImportFolder
const refused = new Map<string, string[]>()

const FILES = {
  'active.csv': `generated_at,venue,id,title,sub,prob_pct,vol24,close_time,series_or_slug,category,bid,ask,oi
2026-03-01T10:00:20Z,kalshi,KXOIL-100,Oil above 100?,Above 100,41.5,1200.5,2026-12-01T00:00:00Z,KXOIL,Economics,0.4,0.43,500
2026-03-01T10:00:20Z,polymarket,512,Rain in May?,,30,2500,,rain-in-may,Climate,,,
2026-03-01T10:00:20Z,kalshi,KXASK-1,Only an ask?,,45,,,,,,0.5,
2026-03-01T10:00:20Z,betfair,7,Other venue?,,45,,,,,,,
`,
  'equity-markets.csv': `event_id,event_title,market_id,condition_id,market_slug,market_question,week_monday,resolution_time_utc,yes_token_id,no_token_id,closed,last_bar_ts,derived_outcome
e1,Share this week,901,0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,share-up,Share above 10?,2026-03-02T00:00:00Z,2026-03-06T21:00:00Z,111111111111111111111,222222222222222222222,true,2026-03-06T20:00:00Z,yes
,,902,0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,,Share above 20?,2026-03-02T00:00:00Z,,1e21,222222222222222222223,true,2026-03-05T20:00:00Z,no
,,903,0xcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc,,Share above 30?,2026-03-02T00:00:00Z,2026-03-02T00:00:00Z,,,true,,
,,904,77,,No condition?,2026-03-02T00:00:00Z,,,,true,,
`,
  'equity-bars.csv': `ts,market_id,open,high,low,close
2026-03-03T15:00:00Z,901,0.4,0.6,0.3,0.5
2026-03-03T16:00:00Z,901,0.4,0.4,0.4,0.4
2026-03-03T17:00:00Z,901,0.5,0.4,0.3,0.4
2026-03-03T18:00:00Z,901,0.4,0.5,0.45,0.45
2026-03-03T18:30:00Z,901,0.4,0.5,0.3,0.4
2026-03-03T19:00:00Z,999,0.4,0.5,0.3,0.4
`,
  'macro.csv': `timestamp,contract_code,is_synthetic,yes_price,implied_probability
2026-03-01T10:00:20Z,KXCPI-3,false,0.62,0.1
2026-03-01T10:01:20Z,KXCPI-3,true,0.7,0.1
2026-03-01T10:02:20Z,KXCPI-3,false,,-0.1
2026-03-01T10:03:20Z,KXCPI-3,,0.6,0.1
`,
  'top-markets.csv': `market_id,title,slug,close_date,n,first_at,last_at
0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1,Most traded?,most-traded,2026-12-31T00:00:00Z,2,2026-03-01T10:00:00Z,2026-03-01T10:05:00Z
0xd2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2,No slug?,,,2,2026-03-01T10:00:00Z,2026-03-01T10:05:00Z
`,
  'top-snapshots.csv': `market_id,ingested_at,yes_price,no_price,volume,liquidity
0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1,2026-03-01T10:00:30Z,0.6,0.401,12.5,1
0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1,2026-03-01T10:05:30Z,0.6,0.4011,13,1
0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1,2026-03-01T10:10:30Z,0.6,,14,1
0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1,2026-03-01T10:15:30Z,0.6,0.3989,15,1
`,
  'snapshot_2026-03-01.csv': `market_id,question,category,volume,volume_24h,liquidity,end_date,created_date,outcomes,best_bid,best_ask,last_trade_price,active
601,Open market?,Politics,1000,50,1,2026-11-03T00:00:00Z,2026-01-01T00:00:00Z,x,0.2,0.25,0.21,true
602,Ended market?,,900,,1,,,x,0.2,0.25,0.99,false
603,No quote?,,900,,1,,,x,,,,true
0xee,No number?,,900,,1,,,x,,,,true
`,
  'lab-markets.csv': `platform,platform_market_id,platform_event_id,series_ticker,title,subtitle,category,yes_token_id,no_token_id,condition_id,open_time,close_time,expected_resolution_time,actual_settlement_time,settlement_rules_raw,status,result,tick_size,best_yes_bid,best_yes_ask,volume_24h,total_volume,open_interest,last_trade_price,quote_observed_at
kalshi,KXLAB-1,KXLAB,KXL,Which lab?,First,Science,,,,2026-03-01T00:00:00Z,2026-03-03T00:00:00Z,2026-03-04T00:00:00Z,2026-03-03T12:00:00Z,The rules,settled,yes,0.01,0.9,0.95,10,20,30,0,2026-03-02T00:00:00Z
kalshi,KXLAB-2,KXLAB,,Will First win?,First,Science,,,,,,,,,open,,0.01,,,,,,0.5,2026-03-02T00:00:00Z
polymarket,701,,,Lab on chain?,,,31,32,0x1111111111111111111111111111111111111111111111111111111111111111,2026-03-01T00:00:00Z,2026-03-03T00:00:00Z,,,,settled,fifty_fifty,0.001,0.5,,,,,,
polymarket,702,,,No condition?,,,,,0x12,2026-03-01T00:00:00Z,,,,,open,,,,,,,,,
kalshi,KXLAB-3,,,No time?,,,,,,,,,,,open,,,,,,,,,
kalshi,KXLAB-4,,,Paused?,,,,,,2026-03-01T00:00:00Z,,,,,paused,,,,,,,,,
kalshi,KXLAB-5,,,Never ended?,,,,,,2026-03-01T00:00:00Z,,,,,settled,no,,,,,,,,
kalshi,KXLAB-6,,,Ended at its start?,,,,,,2026-03-01T00:00:00Z,2026-02-01T00:00:00Z,,,,settled,no,,,,,,,,
`,
  'lab-trades.csv': `platform,platform_trade_id,platform_market_id,traded_at,price,size,taker_side
kalshi,t1,KXLAB-1,2026-03-01T01:00:00Z,0.55,3,yes
kalshi,t2,KXLAB-1,2026-03-01T01:00:01Z,0.56,4,
kalshi,t3,KXLAB-1,2026-03-01T01:00:02Z,0.56,0,no
kalshi,t4,KXLAB-1,2026-03-01T01:00:03Z,0.56,2,buy
polymarket,t5,701,2026-03-01T01:00:04Z,0.56,2,yes
`,
  'lab-books.csv': `platform,platform_market_id,observed_at,side,is_ask,price,size,level_index
kalshi,KXLAB-1,2026-03-01T02:00:00Z,yes,false,0.4,10,0
kalshi,KXLAB-1,2026-03-01T02:00:00Z,yes,false,0.39,11,1
kalshi,KXLAB-1,2026-03-01T02:00:00Z,yes,true,0.45,12,0
kalshi,KXLAB-1,2026-03-01T02:00:00Z,no,false,0.55,12,0
kalshi,KXLAB-1,2026-03-01T02:00:00Z,no,false,0.52,14,1
kalshi,KXLAB-1,2026-03-01T03:00:00Z,yes,false,0.6,10,0
kalshi,KXLAB-1,2026-03-01T03:00:00Z,yes,true,0.5,10,0
kalshi,KXLAB-1,2026-03-01T04:00:00Z,both,true,0.5,10,0
kalshi,KXLAB-1,2026-03-01T04:00:00Z,yes,,0.5,10,0
kalshi,KXLAB-1,2026-03-01T04:00:00Z,yes,true,1,10,0
kalshi,KXLAB-1,2026-03-01T04:00:00Z,yes,true,0.5,0,0
`,
  'outcomes.csv': `ticker,series_ticker,market_open_time,market_close_time,outcome,mid_price_at_T
KXHIGH-26MAR01-B50,KXHIGH,2026-02-28T15:00:00Z,2026-03-02T05:00:00Z,1,0.8
KXHIGH-26MAR01-B52,KXHIGH,2026-02-28T15:00:00Z,2026-03-02T05:00:00Z,0,
KXHIGH-26MAR01-B54,KXHIGH,2026-03-02T15:00:00Z,2026-03-02T05:00:00Z,0,0.1
KXHIGH-26MAR01-B56,KXHIGH,2026-02-28T15:00:00Z,2026-03-02T05:00:00Z,,0.1
`,
  'temperatures.csv': `ticker,end_ts,price_open,price_high,price_low,price_close,yes_bid_close,yes_ask_close,volume
KXHIGH-26MAR01-B50,1772352000,0.5,0.6,0.4,0.55,0,1,7.5
KXHIGH-26MAR01-B50,1772355600,,,,,0.54,0.58,0
KXHIGH-26MAR01-B50,1772355601,0.5,0.6,0.4,0.55,0,1,7
KXHIGH-26MAR01-B50,1772359200,0.5,0.4,0.6,0.55,0,1,7
KXHIGH-26MAR01-B50,1772362800,0.5,1.1,0.4,0.55,0,1,7
KXHIGH-26MAR01-B50,1772366400,0.5,0.6,0.4,0.55,0,1,-1
`,
  'highny.csv': `ts,market_ticker,best_yes_bid,best_no_bid,implied_yes_ask
2026-03-01 08:00:00,KXNY-1,40,55,45
2026-03-01 08:00:01,KXNY-1,0,0,100
2026-03-01 08:00:02,KXNY-1,101,55,45
2026-03-01 08:00:03,,40,55,45
`,
} as const

beforeAll(async () => {
  folder = await openImportFolder()
  const paths = Object.entries(FILES).map(([name, text]) => folder.file(name, text))
  for (const { path, error, reasons } of await folder.importFiles(paths)) {
    const lines = reasons.map(
      ({ reason, count, firstRow }) => `${count} from ${firstRow}: ${reason}`,
    )
    refused.set(path.slice(folder.path.length + 1), error === null ? lines : [error])
  }
})
afterAll(() => folder.close())

const day = (at: number | null): string =>
  at === null
    ? '–'
    : new Date(at)
        .toISOString()
        .replace(/(?:\.000)?Z$/, '')
        .replace(/T00:00:00$/, '')

/** Everything stored of a market, a line each. */
async function storedOf(ticker: string): Promise<string[]> {
  const market = folder.idOf(ticker)
  const { history } = folder
  const span = { market, from: 0 as Millis, to: END, asOf: END }
  const lines: string[] = []
  for (const { knownAt, facts } of await history.versionsOf(market, END)) {
    const { title, status, result, settlementPrice, openTime, closeTime, category } = facts
    const ended = result === null ? '' : ` ${result} ${settlementPrice}`
    lines.push(
      `${day(knownAt)} ${title} [${status}${ended}] ${category} ${day(openTime)}..${day(closeTime)}`,
    )
    const { subtitle, description, eventId, eventTitle, seriesId, aliases, assetIds } = facts
    const more = { subtitle, description, eventId, eventTitle, seriesId, aliases, assetIds }
    if (lines.length === 1) lines.push(JSON.stringify(Object.values(more)))
  }
  for (const { ts, bid, ask } of await history.quotes(span)) {
    lines.push(`quote ${day(ts)} ${bid}/${ask}`)
  }
  for (const { ts, tradeId, price, size, takerSide } of await history.trades(span)) {
    lines.push(`trade ${day(ts)} ${tradeId} ${price} ${size} ${takerSide}`)
  }
  const book = await history.bookAt(market, END)
  if (book !== null) lines.push(`book ${JSON.stringify(book)}`)
  for (const width of [MINUTE, HOUR, DAY]) {
    const bars = await history.candles({ market, width, asOf: END, before: END, limit: 10 })
    for (const { start, open, high, low, close, volume, source } of bars) {
      lines.push(
        `bar ${day(start)} ${width / MINUTE} ${open} ${high} ${low} ${close} ${volume} ${source}`,
      )
    }
  }
  const [numbers] = await history.numbersAt(END, [market])
  if (numbers?.activity) {
    const { ts, volume, volume24h, openInterest, lastPrice } = numbers.activity
    lines.push(`counted ${day(ts)} ${volume} ${volume24h} ${openInterest} ${lastPrice}`)
  }
  return lines
}

/** By market, everything stored. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  '512': [
    '2026-03-01T10:00:25 Rain in May? [active] weather –..–',
    '[null,"","512",null,null,["512","rain-in-may"],[]]',
    'bar 2026-03-01T10:00:00 1 3000 3000 3000 3000 null venue',
    'bar 2026-03-01T10:00:00 60 3000 3000 3000 3000 null venue',
    'bar 2026-03-01 1440 3000 3000 3000 3000 null venue',
    'counted 2026-03-01T10:00:20 null 2500000000 null null',
  ],
  '601': [
    '2026-03-02T00:00:04.999 Open market? [active] politics 2026-01-01..2026-11-03',
    '[null,"","601",null,null,["601"],[]]',
    'quote 2026-03-01T23:59:59.999 2000/2500',
    'bar 2026-03-01T23:59:00 1 2250 2250 2250 2250 null mids',
    'bar 2026-03-01T23:00:00 60 2250 2250 2250 2250 null mids',
    'bar 2026-03-01 1440 2250 2250 2250 2250 null mids',
    'counted 2026-03-01T23:59:59.999 1000000000 50000000 null 2100',
  ],
  '602': [
    '2026-03-02T00:00:04.999 Ended market? [closed] other –..–',
    '[null,"","602",null,null,["602"],[]]',
    'counted 2026-03-01T23:59:59.999 900000000 null null 9900',
  ],
  '603': [
    '2026-03-02T00:00:04.999 No quote? [active] other –..–',
    '[null,"","603",null,null,["603"],[]]',
    'counted 2026-03-01T23:59:59.999 900000000 null null null',
  ],
  'KXOIL-100': [
    '2026-03-01T10:00:21 Oil above 100? [active] economics –..2026-12-01',
    '["Above 100","","KXOIL-100",null,"KXOIL",[],[]]',
    'quote 2026-03-01T10:00:20 4000/4300',
    'bar 2026-03-01T10:00:00 1 4150 4150 4150 4150 null mids',
    'bar 2026-03-01T10:00:00 60 4150 4150 4150 4150 null mids',
    'bar 2026-03-01 1440 4150 4150 4150 4150 null mids',
    'counted 2026-03-01T10:00:20 null 1200500000 500000000 null',
  ],
  'KXASK-1': [
    '2026-03-01T10:00:21 Only an ask? [active] other –..–',
    '[null,"","KXASK-1",null,null,[],[]]',
    'quote 2026-03-01T10:00:20 null/5000',
    'bar 2026-03-01T10:00:00 1 4500 4500 4500 4500 null venue',
    'bar 2026-03-01T10:00:00 60 4500 4500 4500 4500 null venue',
    'bar 2026-03-01 1440 4500 4500 4500 4500 null venue',
    'counted 2026-03-01T10:00:20 null null null null',
  ],
  '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': [
    '2026-03-02T00:00:05 Share above 10? [active] finance –..2026-03-06T21:00:00',
    '[null,"","e1","Share this week",null,["901","share-up"],["111111111111111111111","222222222222222222222"]]',
    '2026-03-06T21:00:05 Share above 10? [closed] finance –..2026-03-06T21:00:00',
    'bar 2026-03-03T15:00:00 60 4000 6000 3000 5000 null venue',
    'bar 2026-03-03T16:00:00 60 4000 4000 4000 4000 null venue',
    'bar 2026-03-03 1440 4000 6000 3000 4000 null venue',
  ],
  '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb': [
    '2026-03-02T00:00:05 Share above 20? [active] finance –..–',
    '[null,"","0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",null,null,["902"],[]]',
    '2026-03-05T20:00:05 Share above 20? [closed] finance –..–',
  ],
  '0xcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc': [
    '2026-03-02T00:00:05 Share above 30? [active] finance –..2026-03-02',
    '[null,"","0xcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",null,null,["903"],[]]',
  ],
  'KXCPI-3': [
    '2026-03-01T10:01:01 KXCPI-3 [active] other –..–',
    '[null,"","KXCPI-3",null,null,["KXCPI-3"],[]]',
    'bar 2026-03-01T10:00:00 1 6200 6200 6200 6200 null venue',
    'bar 2026-03-01T10:00:00 60 6200 6200 6200 6200 null venue',
    'bar 2026-03-01 1440 6200 6200 6200 6200 null venue',
  ],
  '0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1': [
    '2026-03-01T10:00:05 Most traded? [active] other –..2026-12-31',
    '[null,"","0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",null,null,["most-traded"],[]]',
    'bar 2026-03-01T10:00:00 1 6000 6000 6000 6000 null venue',
    'bar 2026-03-01T10:10:00 1 6000 6000 6000 6000 null venue',
    'bar 2026-03-01T10:00:00 60 6000 6000 6000 6000 null venue',
    'bar 2026-03-01 1440 6000 6000 6000 6000 null venue',
    'counted 2026-03-01T10:10:30 14000000 null null null',
  ],
  '0xd2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2': [
    '2026-03-01T10:00:05 No slug? [active] other –..–',
    '[null,"","0xd2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2",null,null,[],[]]',
  ],
  'KXLAB-1': [
    '2026-03-01T00:00:01 Which lab? - First [active] science 2026-03-01..2026-03-03',
    '["First","The rules","KXLAB",null,"KXL",[],[]]',
    '2026-03-03T12:00:01 Which lab? - First [settled yes 10000] science 2026-03-01..2026-03-03',
    'quote 2026-03-01T02:00:00 4000/4500',
    'quote 2026-03-02 9000/9500',
    'trade 2026-03-01T01:00:00 t1 5500 3000000 yes',
    'trade 2026-03-01T01:00:01 t2 5600 4000000 null',
    'book {"book":{"bids":[{"price":4000,"size":10000000},{"price":3900,"size":11000000}],"asks":[{"price":4500,"size":12000000},{"price":4800,"size":14000000}]},"ts":1772330400000}',
    'bar 2026-03-01T01:00:00 1 5500 5600 5500 5600 7000000 trades',
    'bar 2026-03-01T02:00:00 1 4250 4250 4250 4250 null mids',
    'bar 2026-03-02 1 9250 9250 9250 9250 null mids',
    'bar 2026-03-01T01:00:00 60 5500 5600 5500 5600 7000000 trades',
    'bar 2026-03-01T02:00:00 60 4250 4250 4250 4250 null mids',
    'bar 2026-03-02 60 9250 9250 9250 9250 null mids',
    'bar 2026-03-01 1440 5500 5600 5500 5600 7000000 trades',
    'bar 2026-03-02 1440 9250 9250 9250 9250 null mids',
    'counted 2026-03-02 20000000 10000000 30000000 null',
  ],
  'KXLAB-2': [
    '2026-03-02T00:00:01 Will First win? [active] science –..–',
    '["First","","KXLAB",null,null,[],[]]',
    'counted 2026-03-02 null null null 5000',
  ],
  'KXLAB-6': [
    '2026-03-01T00:00:01 Ended at its start? [active] other 2026-03-01..2026-02-01',
    '[null,"","KXLAB-6",null,null,[],[]]',
    '2026-03-01T00:00:01.001 Ended at its start? [settled no 0] other 2026-03-01..2026-02-01',
  ],
  '0x1111111111111111111111111111111111111111111111111111111111111111': [
    '2026-03-01T00:00:05 Lab on chain? [active] other 2026-03-01..2026-03-03',
    '[null,"","0x1111111111111111111111111111111111111111111111111111111111111111",null,null,["701"],["31","32"]]',
    '2026-03-03T00:00:05 Lab on chain? [settled scalar 5000] other 2026-03-01..2026-03-03',
  ],
  'KXHIGH-26MAR01-B50': [
    '2026-02-28T15:00:01 KXHIGH-26MAR01 - B50 [active] weather 2026-02-28T15:00:00..2026-03-02T05:00:00',
    '["B50","","KXHIGH-26MAR01",null,"KXHIGH",[],[]]',
    '2026-03-02T05:00:01 KXHIGH-26MAR01 - B50 [settled yes 10000] weather 2026-02-28T15:00:00..2026-03-02T05:00:00',
    'bar 2026-03-02T04:59:00 1 8000 8000 8000 8000 null venue',
    'bar 2026-03-01T07:00:00 60 5000 6000 4000 5500 7500000 venue',
    'bar 2026-03-02T04:00:00 60 8000 8000 8000 8000 null venue',
    'bar 2026-03-01 1440 5000 6000 4000 5500 7500000 venue',
    'bar 2026-03-02 1440 8000 8000 8000 8000 null venue',
  ],
  'KXHIGH-26MAR01-B52': [
    '2026-02-28T15:00:01 KXHIGH-26MAR01 - B52 [active] weather 2026-02-28T15:00:00..2026-03-02T05:00:00',
    '["B52","","KXHIGH-26MAR01",null,"KXHIGH",[],[]]',
    '2026-03-02T05:00:01 KXHIGH-26MAR01 - B52 [settled no 0] weather 2026-02-28T15:00:00..2026-03-02T05:00:00',
  ],
  'KXNY-1': [
    '2026-03-01T16:00:01 KXNY-1 [active] other –..–',
    '[null,"","KXNY-1",null,null,["KXNY-1"],[]]',
    'quote 2026-03-01T16:00:00 4000/4500',
    'quote 2026-03-01T16:00:01 null/null',
    'bar 2026-03-01T16:00:00 1 4250 4250 4250 4250 null mids',
    'bar 2026-03-01T16:00:00 60 4250 4250 4250 4250 null mids',
    'bar 2026-03-01 1440 4250 4250 4250 4250 null mids',
  ],
}

/** By file, the refused rows: how many, the first of them, and why. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'active.csv': ['1 from 4: venue is neither kalshi nor polymarket'],
  'equity-markets.csv': ['1 from 4: condition_id is not a condition id'],
  'equity-bars.csv': [
    '2 from 3: open or close is outside low to high',
    '1 from 5: ts is not on the hour',
    '1 from 6: market is unknown: import polymarket_equity_weekly_markets with it',
  ],
  'macro.csv': [
    '2 from 2: is_synthetic: row was generated by the source',
    '1 from 3: yes_price is missing: implied_probability is a difference of neighbouring strikes, not a price',
  ],
  'top-markets.csv': [],
  'top-snapshots.csv': ['2 from 2: yes_price and no_price do not add up to a dollar'],
  'snapshot_2026-03-01.csv': ['1 from 4: market_id is not a number'],
  'lab-markets.csv': [
    '1 from 4: condition_id is missing',
    '1 from 5: open_time and quote_observed_at are missing',
    '1 from 6: status is neither open nor settled',
    '1 from 7: actual_settlement_time is missing',
  ],
  'lab-trades.csv': [
    '1 from 3: size is missing',
    '2 from 4: trade of an unknown outcome: the row does not state what was bought',
  ],
  'lab-books.csv': [
    '1 from 8: side is neither yes nor no',
    '1 from 9: is_ask is missing',
    '1 from 10: price is not a price an order can rest at',
    '1 from 11: size is missing',
    '1 from 4: mirror of a level: the bids of one outcome are the asks of the other',
    '2 from 6: level of a crossed book',
  ],
  'outcomes.csv': [
    '1 from 3: market_close_time is before market_open_time',
    '1 from 4: outcome is missing',
  ],
  'temperatures.csv': [
    '1 from 3: end_ts is not a time on the hour',
    '1 from 4: price_high is below price_low',
    '1 from 5: price_high is not a price from 0 to 1',
    '1 from 6: volume is not an amount',
  ],
  'highny.csv': [
    '1 from 3: best_yes_bid is not a price from 0 to 100',
    '1 from 4: market_ticker is missing',
  ],
}

it.each(Object.entries(STORED))(
  'stores of %s exactly what the file states',
  async (ticker, lines) => {
    expect(await storedOf(ticker)).toEqual(lines)
  },
)

it('refuses the other rows, each for its reason', () => {
  expect(Object.fromEntries(refused)).toEqual(REFUSED)
})
