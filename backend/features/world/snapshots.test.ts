import { expect, it } from 'vitest'
import type { PositionOverlay } from '../../contract/portfolio.ts'
import type { Snapshot } from '../../domain/world/snapshot.ts'
import { snapshotBody } from './snapshots.ts'

const HELD: PositionOverlay = {
  ticker: 'KXHELD',
  venue: 'venue_a',
  title: 'Held?',
  direction: 'no',
  quantity: 12,
  avgPrice: 40,
  price: 45,
  unrealizedPnlCents: 60,
  thesisId: null,
}
const SNAPSHOT = {
  opportunities: [{ ticker: 'KXHELD' }, { ticker: 'KXOTHER' }],
} as unknown as Snapshot

// [world.snapshot.overlays]
it('marks opportunities in which the requester holds a position', () => {
  const portfolio = { positions: [HELD], exposureByCategory: { economics: 480 } }
  expect(snapshotBody(SNAPSHOT, portfolio)).toMatchObject({
    portfolio,
    opportunities: [
      {
        ticker: 'KXHELD',
        alreadyPositioned: true,
        currentPositionSize: 12,
        currentPositionDirection: 'no',
      },
      {
        ticker: 'KXOTHER',
        alreadyPositioned: false,
        currentPositionSize: 0,
        currentPositionDirection: null,
      },
    ],
  })
})

it('contains no positions for anonymous requesters', () => {
  const { opportunities, ...body } = snapshotBody(SNAPSHOT, null)
  expect(body).not.toHaveProperty('portfolio')
  expect(opportunities).toEqual([
    { ticker: 'KXHELD', alreadyPositioned: false },
    { ticker: 'KXOTHER', alreadyPositioned: false },
  ])
})
