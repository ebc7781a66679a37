import { expect, it } from 'vitest'
import { tradedSide } from './fill-side.ts'

it.each([
  // The order's own words win: a sale of YES gains NO.
  [{ action: 'sell', side: 'yes', gained: 'no' }, 'sell yes'],
  [{ action: 'buy', side: 'no', gained: 'no' }, 'buy no'],
  [{ action: 'sell', side: 'no', gained: 'yes' }, 'sell no'],
  [{ action: 'sell', side: 'yes', gained: null }, 'sell yes'],
  [{ action: 'sell', side: null, gained: 'no' }, 'sell yes'],
  [{ action: 'buy', side: null, gained: 'no' }, 'buy no'],
  [{ action: null, side: null, gained: 'yes' }, 'buy yes'],
  [{ action: null, side: 'yes', gained: 'no' }, 'buy no'],
  [{ action: 'sell', side: null, gained: null }, null],
  [{ action: null, side: 'yes', gained: null }, null],
] as const)('%j traded %s', (stated, traded) => {
  const found = tradedSide(stated)
  expect(found === null ? null : `${found.action} ${found.direction}`).toBe(traded)
})
