import type { TableLayout } from '../reading.ts'
import { stageTicks, type TickMapping } from '../staging/stage-ticks.ts'

/**
 * The files that `augury export` writes, one kind of rows per file, as Parquet, CSV or JSON. The
 * kind is detected by the column names, not by the file's name. Every row starts with
 *
 *   venue          venue_a or venue_b
 *   ticker         canonical
 *
 * and rows of ticks continue with
 *
 *   ts_ms          when it happened, Unix ms
 *   known_at_ms    when it was known, Unix ms, never before ts_ms
 *   origin         live, polled, backfilled or imported
 *
 * Then, by kind (prices are integers of 1e-4 dollars, sizes of 1e-6 contracts or dollars by the
 * market's volume unit; an unknown value is null, in CSV an empty cell):
 *
 *   trades     trade_id, price_e4, size_e6, taker_side (yes, no or null), is_block
 *   quotes     bid_e4, bid_size_e6, ask_e4, ask_size_e6
 *   book       bid_1_e4, bid_1_size_e6 … bid_5_e4, bid_5_size_e6, ask_1_e4 … ask_5_size_e6
 *   candles    start_ms, width_ms, open_e4, high_e4, low_e4, close_e4, volume_e6, bid_close_e4,
 *              ask_close_e4; as published by venues: ts_ms is the end of the bar
 *   snapshots  volume_e6, volume_24h_e6, open_interest_e6, last_price_e4
 *   markets    known_at_ms, then the fields of `MarketFacts` in snake case: see `augury-markets.ts`
 *
 * Changes, coverage and corrections are in `augury-statements.ts`. Trades are exported as corrected, so
 * that the file is right for any tool; an import with the corrections file also restores their history.
 *
 * Rows are sorted by (venue, ticker, ts_ms, known_at_ms), equal ones by arrival. In CSV a text cell
 * that begins with = + - @, a tab or a return, or with apostrophes before one of these, is escaped by
 * one more apostrophe, which the import of a CSV removes.
 */
export const STAMP_COLUMNS = ['venue', 'ticker', 'ts_ms', 'known_at_ms', 'origin'] as const

const SIDES = ['bid', 'ask'] as const
const LEVELS = [1, 2, 3, 4, 5] as const
const bookColumns = SIDES.flatMap((side) =>
  LEVELS.flatMap((level) => [`${side}_${level}_e4`, `${side}_${level}_size_e6`]),
)

/** Columns after the stamp, in the order of the files. */
export const EXPORT_COLUMNS = {
  trades: ['trade_id', 'price_e4', 'size_e6', 'taker_side', 'is_block'],
  quotes: ['bid_e4', 'bid_size_e6', 'ask_e4', 'ask_size_e6'],
  book: bookColumns,
  candles: [
    'start_ms',
    'width_ms',
    'open_e4',
    'high_e4',
    'low_e4',
    'close_e4',
    'volume_e6',
    'bid_close_e4',
    'ask_close_e4',
  ],
  snapshots: ['volume_e6', 'volume_24h_e6', 'open_interest_e6', 'last_price_e4'],
} as const satisfies Record<string, readonly string[]>

type Kind = keyof typeof EXPORT_COLUMNS

const integer = (column: string): string => `try_cast(${column} as bigint)`
const isNo = (column: string, test: string): string =>
  `${column} is not null and not coalesce(${test}, false)`
const priceRefusal = (column: string) =>
  [`${column} is not a price`, isNo(column, `${integer(column)} between 0 and 10000`)] as const
const amountRefusal = (column: string) =>
  [
    `${column} is not an amount`,
    isNo(column, `${integer(column)} between 0 and 9007199254740991`),
  ] as const
const missing = (column: string) =>
  [`${column} is missing`, `coalesce(${column}::varchar, '') = ''`] as const

const LAST_MS = 8_640_000_000_000_000
const STAMP_REFUSALS = [
  [
    'venue is neither venue_a nor venue_b',
    `coalesce(venue::varchar, '') not in ('venue_a', 'venue_b')`,
  ],
  missing('ticker'),
  ['ts_ms is not a time', `not coalesce(${integer('ts_ms')} between 0 and ${LAST_MS}, false)`],
  [
    'known_at_ms is not a time or is before ts_ms',
    `not coalesce(${integer('known_at_ms')} between ${integer('ts_ms')} and ${LAST_MS}, false)`,
  ],
] as const

/** Checks of price and amount columns, chosen by the column's suffix. */
const numberRefusals = (columns: readonly string[]) =>
  columns
    .filter((column) => column.endsWith('_e4') || column.endsWith('_e6'))
    .map((column) => (column.endsWith('_e4') ? priceRefusal(column) : amountRefusal(column)))

const STAMP: TickMapping['columns'] = [
  ['lag', `${integer('known_at_ms')} - ${integer('ts_ms')}`],
  [
    'origin',
    `case origin::varchar when 'live' then 0 when 'polled' then 1 when 'backfilled' then 2
       else 3 end::utinyint`,
  ],
]

const integerColumn = (name: string, column: string): readonly [string, string] =>
  [name, `${integer(column)}::integer`] as const
const bigintColumn = (name: string, column: string): readonly [string, string] =>
  [name, integer(column)] as const

const mappings: Record<Kind, Pick<TickMapping, 'kind' | 'columns' | 'refusals'>> = {
  trades: {
    kind: 'trades',
    refusals: [
      missing('trade_id'),
      ['price_e4 is missing', `coalesce(price_e4::varchar, '') = ''`],
      ['size_e6 is missing', `coalesce(size_e6::varchar, '') = ''`],
      [
        'taker_side is neither yes nor no',
        `coalesce(taker_side::varchar, '') not in ('', 'yes', 'no')`,
      ],
    ],
    columns: [
      ['trade_id', 'trade_id::varchar'],
      integerColumn('price', 'price_e4'),
      bigintColumn('size', 'size_e6'),
      ['taker', `case taker_side::varchar when 'yes' then 1 when 'no' then 2 else 0 end::utinyint`],
      ['is_block', 'coalesce(try_cast(is_block as boolean), false)'],
    ],
  },
  quotes: {
    kind: 'quotes',
    refusals: [],
    columns: [
      integerColumn('bid', 'bid_e4'),
      integerColumn('ask', 'ask_e4'),
      bigintColumn('bid_size', 'bid_size_e6'),
      bigintColumn('ask_size', 'ask_size_e6'),
    ],
  },
  book: {
    kind: 'books',
    refusals: [],
    columns: SIDES.flatMap((side) =>
      LEVELS.flatMap((level) => [
        integerColumn(`${side}_price_${level}`, `${side}_${level}_e4`),
        bigintColumn(`${side}_size_${level}`, `${side}_${level}_size_e6`),
      ]),
    ),
  },
  candles: {
    kind: 'candles',
    refusals: [
      [
        'start_ms is not a time',
        `not coalesce(${integer('start_ms')} between 0 and ${LAST_MS}, false)`,
      ],
      [
        'width_ms is not a duration',
        `not coalesce(${integer('width_ms')} between 1 and ${LAST_MS}, false)`,
      ],
      ['high_e4 is below low_e4', `${integer('high_e4')} < ${integer('low_e4')}`],
    ],
    columns: [
      bigintColumn('start', 'start_ms'),
      bigintColumn('width', 'width_ms'),
      integerColumn('open', 'open_e4'),
      integerColumn('high', 'high_e4'),
      integerColumn('low', 'low_e4'),
      integerColumn('close', 'close_e4'),
      bigintColumn('volume', 'volume_e6'),
      integerColumn('bid_close', 'bid_close_e4'),
      integerColumn('ask_close', 'ask_close_e4'),
    ],
  },
  snapshots: {
    kind: 'activity',
    refusals: [],
    columns: [
      bigintColumn('volume', 'volume_e6'),
      bigintColumn('volume_24h', 'volume_24h_e6'),
      bigintColumn('open_interest', 'open_interest_e6'),
      integerColumn('last_price', 'last_price_e4'),
    ],
  },
}

const layoutOf = (kind: Kind): TableLayout => {
  const { columns, refusals, ...mapping } = mappings[kind]
  return {
    name: `augury_${kind}`,
    venue: null,
    columns: [...STAMP_COLUMNS, ...EXPORT_COLUMNS[kind]],
    rank: 3,
    read: (table, reading) =>
      stageTicks(
        table,
        {
          ...mapping,
          venue: 'venue::varchar',
          market: 'ticker::varchar',
          ts: integer('ts_ms'),
          refusals: [...STAMP_REFUSALS, ...refusals, ...numberRefusals(EXPORT_COLUMNS[kind])],
          columns: [...STAMP, ...columns],
          // Two rows of one instant are both stored unless they are identical.
          identity: ['lag', ...columns.map(([name]) => name)],
          order: integer('known_at_ms'),
          isCoverageKnown: reading.tables.has('augury_coverage'),
        },
        reading,
      ),
  }
}

/** Trades as `augury export` writes them. */
export const exportedTrades: TableLayout = layoutOf('trades')

/** Layouts of the files of ticks that `augury export` writes. */
export const exportedTicks: readonly TableLayout[] = [
  exportedTrades,
  ...(['quotes', 'book', 'candles', 'snapshots'] as const).map(layoutOf),
]
