import { expect, it } from 'vitest'
import { bookStatement, type StatementClient } from './book-statement.ts'
import type { Statement } from './statement-formats.ts'

const NONE = { fills: 0, settlements: 0 }
const clientWith = (result: string | null): StatementClient => ({
  book: () => Promise.resolve({ received: NONE, inserted: NONE, duplicates: NONE, errors: [] }),
  marketsFor: () => Promise.resolve([{ ticker: '0x7', title: 'Rain?' }]),
  resultOf: () => Promise.resolve(result),
})

it.each([
  [null, 'the result of "Rain?" is not known yet'],
  [
    'void',
    '"Rain?" paid neither side in full, and the line names none: import it from rows of the API',
  ],
])('a redemption without an outcome is refused while the result is %j', async (result, reason) => {
  const statement: Statement = {
    venue: 'venue_b',
    rows: [{ line: 2, kind: 'settlement', title: 'Rain?', row: { payoutUsd: 5 } }],
    skipped: [],
  }
  const { refused } = await bookStatement(clientWith(result), statement, true)
  expect(refused).toEqual([{ line: 2, reason }])
})
