import { describe, expect, it } from 'vitest'
import { statementIn, StatementProblem } from './statement-formats.ts'

/** Shortens a text, so that each record has an id that a test can state. */
const digest = (text: string): Promise<string> =>
  Promise.resolve(`${text.length}-${text.at(-1) ?? ''}`)
const statementOf = (
  table: readonly (readonly string[])[],
  venue: 'venue_a' | 'venue_b' | null = null,
) =>
  statementIn(
    table.map((fields, index) => ({ line: index + 1, fields })),
    venue,
    digest,
  )
const problemOf = async (...args: Parameters<typeof statementOf>): Promise<unknown> => {
  try {
    return await statementOf(...args)
  } catch (error) {
    return error instanceof StatementProblem ? [error.message, error.advice] : error
  }
}

describe('the transactions of Kalshi', () => {
  const HEADER = [
    'type',
    'market_ticker',
    'side',
    'quantity',
    'entry_price_cents',
    'exit_price_cents',
    'open_timestamp',
    'close_timestamp',
    'realized_pnl_without_fees_cents',
    'open_fees_cents',
    'close_fees_cents',
  ]
  type Lot = Partial<
    Record<'type' | 'ticker' | 'side' | 'quantity' | 'entry' | 'exit' | 'closed' | 'profit', string>
  >
  const lot = ({
    type = 'trade',
    ticker = 'KXA',
    side = 'yes',
    quantity = '10',
    entry = '40',
    exit = '50',
    closed = '2026-02-01T00:00:00Z',
    profit = '100',
  }: Lot = {}) => [
    type,
    ticker,
    side,
    quantity,
    entry,
    exit,
    '2026-01-01T00:00:00Z',
    closed,
    profit,
    '1.5',
    '2',
  ]
  const rowsOf = async (...lots: readonly Lot[]) =>
    (await statementOf([HEADER, ...lots.map(lot)])).rows

  it('are a purchase and a sale of each lot', async () => {
    const [open, close] = await rowsOf({})
    expect(open).toMatchObject({
      line: 2,
      kind: 'fill',
      row: {
        ticker: 'KXA',
        action: 'buy',
        side: 'yes',
        quantity: 10,
        priceCents: 40,
        feeCents: 1.5,
        createdAt: '2026-01-01T00:00:00Z',
      },
    })
    expect(close).toMatchObject({
      kind: 'fill',
      row: {
        action: 'sell',
        priceCents: 50,
        feeCents: 2,
        createdAt: '2026-02-01T00:00:00Z',
      },
    })
  })

  it('give equal lots ids of their own, the same in every file', async () => {
    const ids = async (...lots: readonly Lot[]) =>
      (await rowsOf(...lots)).map(({ row }) => String(row['fillId']))
    const [first, , second] = await ids({}, {})
    expect(first).not.toBe(second)
    expect((await ids({}))[0]).toBe(first)
    expect(first).toMatch(/-0-open$/)
    expect(second).toMatch(/-1-open$/)
  })

  it.each([
    // Prices of NO, and prices of YES, by the profit that they explain.
    ['no', '40', '50', '100', 40, 50],
    ['no', '40', '50', '-100', 60, 50],
    // No profit fits either, so the prices are taken as those of YES.
    ['no', '40', '40', '0', 60, 60],
    ['yes', '40', '50', '-100', 40, 50],
  ])(
    '%s from %s to %s with the profit %s: at %i and %i cents',
    async (side, entry, exit, profit, opened, closed) => {
      const rows = await rowsOf({ side, entry, exit, profit })
      expect(rows.map(({ row }) => row['priceCents'])).toEqual([opened, closed])
    },
  )

  it.each([
    ['yes', '100', '600', 'yes', 1_000],
    ['yes', '0', '-400', 'no', 0],
    ['no', '100', '600', 'no', 1_000],
    ['no', '0', '-400', 'yes', 0],
  ])('%s that ended at %s was settled', async (side, exit, profit, result, revenueCents) => {
    const [, settlement] = await rowsOf({ side, exit, profit })
    expect(settlement).toMatchObject({
      line: 2,
      kind: 'settlement',
      row: {
        ticker: 'KXA',
        result,
        settledAt: '2026-02-01T00:00:00Z',
        yesQuantity: side === 'yes' ? 10 : 0,
        noQuantity: side === 'no' ? 10 : 0,
        revenueCents,
        feeCents: 2,
      },
    })
  })

  it('settle a market once for all of its lots, at the last of their times', async () => {
    const rows = await rowsOf(
      { exit: '100', closed: '2026-02-01T00:00:02Z' },
      { exit: '100', closed: '2026-02-01T00:00:01Z', quantity: '5' },
      { exit: '100', ticker: 'KXB' },
      { exit: '0', profit: '-400' },
    )
    const settlements = rows.filter(({ kind }) => kind === 'settlement')
    expect(settlements.map(({ line, row }) => [line, row['ticker'], row['result']])).toEqual([
      [2, 'KXA', 'yes'],
      [4, 'KXB', 'yes'],
      [5, 'KXA', 'no'],
    ])
    expect(settlements[0]?.row).toMatchObject({
      settledAt: '2026-02-01T00:00:02Z',
      yesQuantity: 15,
      revenueCents: 1_500,
      feeCents: 4,
    })
  })

  it('may state dollars', async () => {
    const header = HEADER.map((name) => name.replace('_cents', '_dollars'))
    const { rows } = await statementOf([header, lot({ entry: '0.4', exit: '0.5', profit: '1' })])
    expect(rows.map(({ row }) => [row['priceCents'], row['feeCents']])).toEqual([
      [40, 150],
      [50, 200],
    ])
  })

  it.each([
    [{ type: 'Deposit' }, 'Deposit is no trade'],
    [{ ticker: '' }, 'market_ticker, side or quantity is missing'],
    [{ side: 'both' }, 'market_ticker, side or quantity is missing'],
    [{ quantity: '0' }, 'market_ticker, side or quantity is missing'],
    [{ quantity: '' }, 'market_ticker, side or quantity is missing'],
    [{ exit: '' }, 'the entry or exit price is not a number from 0 to 100 cents'],
    [{ exit: 'n/a' }, 'the entry or exit price is not a number from 0 to 100 cents'],
    [{ entry: '' }, 'the entry or exit price is not a number from 0 to 100 cents'],
    [{ exit: '101' }, 'the entry or exit price is not a number from 0 to 100 cents'],
    [
      { side: 'no', profit: '' },
      'realized_pnl_without_fees is missing: without it the prices may be of YES or of NO',
    ],
  ])('skip %j', async (more, reason) => {
    const { rows, skipped } = await statementOf([HEADER, lot(), lot(more)])
    expect([rows.length, skipped]).toEqual([2, [{ line: 3, reason }]])
  })
})

describe('the history of Polymarket', () => {
  const HEADER = [
    'marketName',
    'action',
    'usdcAmount',
    'tokenAmount',
    'tokenName',
    'timestamp',
    'hash',
  ]
  const rowOf = (action: string, outcome: string, usd = '4.1', size = '10') => [
    'Rain?',
    action,
    usd,
    size,
    outcome,
    '1767225600',
    '0x1',
  ]

  it.each([
    ['Buy', 'Yes', { side: 'BUY', outcomeIndex: 0, price: 0.41 }],
    ['Sell', 'NO', { side: 'SELL', outcomeIndex: 1, price: 0.41 }],
    ['buy', 'Up', { outcomeIndex: 0 }],
    ['buy', 'under', { outcomeIndex: 1 }],
  ])('%s %s is a trade', async (action, outcome, row) => {
    const { rows, venue } = await statementOf([HEADER, rowOf(action, outcome)])
    expect(venue).toBe('venue_b')
    expect(rows).toMatchObject([
      {
        line: 2,
        title: 'Rain?',
        kind: 'fill',
        row: { size: 10, timestamp: '1767225600', transactionHash: '0x1', ...row },
      },
    ])
  })

  it('has redemptions with or without their outcome', async () => {
    const { rows } = await statementOf([
      HEADER,
      rowOf('Redeem', '', '10'),
      rowOf('Redeem', 'No', '0'),
    ])
    expect(rows.map(({ kind, row }) => [kind, row['payoutUsd'], row['outcomeIndex']])).toEqual([
      ['settlement', 10, undefined],
      ['settlement', 0, 1],
    ])
  })

  it('skips what is no trade of two outcomes', async () => {
    const { rows, skipped } = await statementOf([
      HEADER,
      rowOf('Deposit', 'Yes'),
      rowOf('Buy', 'Draw'),
    ])
    expect(rows).toEqual([])
    expect(skipped).toEqual([
      { line: 2, reason: 'Deposit is no trade' },
      { line: 3, reason: 'outcome "Draw" is not one of yes and no' },
    ])
  })
})

describe('rows of an interface', () => {
  it('have the first name of each field, whichever the file uses', async () => {
    const { rows, venue } = await statementOf([
      ['trade_id', 'market_ticker', 'action', 'outcome_side', 'quantity', 'more'],
      ['t1', 'KXA', 'buy', 'yes', ' 3 ', 'x'],
    ])
    expect(venue).toBe('venue_a')
    expect(rows).toEqual([
      {
        line: 2,
        kind: 'fill',
        row: {
          trade_id: 't1',
          market_ticker: 'KXA',
          outcome_side: 'yes',
          quantity: ' 3 ',
          more: 'x',
          fill_id: 't1',
          ticker: 'KXA',
          action: 'buy',
          side: 'yes',
          count_fp: '3',
        },
      },
    ])
  })
})

describe('a file', () => {
  it('without lines or with the columns of no format is refused', async () => {
    expect(await problemOf([])).toEqual(['the file is empty', null])
    expect(
      await problemOf([['marketName', 'action', 'usdcAmount', 'tokenAmount', 'tokenName']]),
    ).toEqual([
      'the columns fit no known export; history of Polymarket needs also: timestamp, hash or transactionHash',
      'The file has: marketName, action, usdcAmount, tokenAmount, tokenName',
    ])
  })

  it('is read by a format of the given venue', async () => {
    const header = ['conditionId', 'side', 'size', 'price', 'transactionHash']
    expect((await statementOf([header], 'venue_b')).venue).toBe('venue_b')
    expect(await problemOf([header], 'venue_a')).toEqual([
      expect.stringMatching(/^the columns fit no known export; .* of .*Kalshi.* needs also: /),
      `The file has: ${header.join(', ')}`,
    ])
  })

  it('that does not say what was sold cannot be imported', async () => {
    const header = ['Market_Ticker', 'Direction', 'Price_In_Cents', 'Original_Date']
    expect(await problemOf([header])).toEqual([
      'recent activity of Kalshi cannot be imported: it does not say which trades were sales. Download the transactions of the year instead (Account, Documents)',
      null,
    ])
  })
})
