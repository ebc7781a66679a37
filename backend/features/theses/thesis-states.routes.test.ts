import { afterAll, beforeAll, expect, it } from 'vitest'
import fc, { scaled } from '../../../scripts/properties.ts'
import type { ServedThesis, ThesisFormed } from '../../contract/theses/thesis.ts'
import { startTradingService, type TradingService } from '../../testing/trading-service.ts'

type Status = 'active' | 'paused' | 'killed' | 'dormant' | 'resolved'
interface State {
  readonly status: Status
  readonly outcome: string | null
  readonly isPublished: boolean
}

/** The moves by the owner, from the table of the contract. */
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  active: ['paused', 'killed', 'dormant', 'resolved'],
  paused: ['active', 'killed', 'dormant', 'resolved'],
  killed: ['active', 'dormant', 'resolved'],
  dormant: ['active', 'resolved'],
  resolved: ['active'],
}

type Step =
  | { readonly kind: 'status'; readonly to: Status; readonly outcome: 'yes' | 'void' }
  | { readonly kind: 'evaluate' | 'edit' | 'signal' | 'publish' | 'unpublish' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      to: fc.constantFrom<Status>('active', 'paused', 'killed', 'dormant', 'resolved'),
      outcome: fc.constantFrom('yes' as const, 'void' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'evaluate' as const,
        'edit' as const,
        'signal' as const,
        'publish' as const,
        'unpublish' as const,
      ),
    }),
  },
)
/** One client alone, two clients at once, or a restart. */
const round = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(step) },
  { weight: 3, arbitrary: fc.tuple(step, step) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
)

/** What a step answers and leaves, by the contract. */
function expected(state: State, one: Step): { readonly code: number; readonly state: State } {
  const isOpen = state.status === 'active' || state.status === 'paused'
  switch (one.kind) {
    case 'status': {
      if (one.to === state.status) return { code: 200, state }
      if (!MOVES[state.status].includes(one.to)) return { code: 409, state }
      const outcome =
        one.to === 'resolved' ? one.outcome : one.to === 'active' ? null : state.outcome
      return { code: 200, state: { ...state, status: one.to, outcome } }
    }
    case 'evaluate':
    case 'edit':
      return { code: isOpen ? 200 : 409, state }
    case 'signal':
      return { code: 202, state }
    case 'publish':
    case 'unpublish':
      return { code: 200, state: { ...state, isPublished: one.kind === 'publish' } }
  }
}

let service: TradingService
beforeAll(async () => {
  service = await startTradingService(null)
})
afterAll(() => service.stop())

let theses = 0
const newThesis = async (): Promise<string> => {
  const rawThesis = `The committee ${(theses += 1)} will agree by December 31, 2026`
  const [, { id }] = await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
    rawThesis,
  })
  return id
}

const send = async (id: string, one: Step): Promise<number> => {
  const path = `/api/thesis/${id}`
  switch (one.kind) {
    case 'status': {
      const { to: status, outcome } = one
      const body = { status, ...(status === 'resolved' && { outcome }) }
      return (await service.send('PATCH', path, body))[0]
    }
    case 'evaluate':
      return (await service.send('POST', `${path}/evaluate`, {}))[0]
    case 'edit':
      return (
        await service.send('POST', `${path}/nodes/update`, { nodeId: 'n1', probability: 0.4 })
      )[0]
    case 'signal':
      return (
        await service.send('POST', `${path}/signal`, { type: 'news', content: 'They met' })
      )[0]
    case 'publish':
    case 'unpublish':
      return (await service.send('POST', `${path}/${one.kind}`, {}))[0]
  }
}

const stateOf = async (id: string): Promise<State> => {
  const [, thesis] = await service.send<ServedThesis>('GET', `/api/thesis/${id}`)
  return {
    status: thesis.status as Status,
    outcome: thesis.outcome,
    isPublished: thesis.published,
  }
}

/** Codes and states that the orders of the steps allow. */
function outcomes(state: State, steps: readonly Step[]) {
  const orders =
    steps.length < 2
      ? [[0]]
      : [
          [0, 1],
          [1, 0],
        ]
  return orders.map((order) => {
    let now = state
    const codes: number[] = []
    for (const index of order) {
      const one = steps[index]
      if (one === undefined) continue
      const result = expected(now, one)
      codes[index] = result.code
      now = result.state
    }
    return { codes, state: now }
  })
}

it('[theses.states.property] keeps the rules of its states for two clients and across restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 10 }), async (rounds) => {
      const id = await newThesis()
      let state = await stateOf(id)
      expect(state).toEqual({ status: 'active', outcome: null, isPublished: false })
      for (const steps of rounds) {
        if (steps === 'restart') {
          await service.restart()
          expect(await stateOf(id)).toEqual(state)
          continue
        }
        const codes = await Promise.all(steps.map((one) => send(id, one)))
        const next = await stateOf(id)
        // Two evaluations of one thesis at once: the second may be refused.
        const areBoth = steps.length === 2 && steps.every(({ kind }) => kind === 'evaluate')
        const seen = areBoth
          ? codes.map((code, n) => (n === codes.indexOf(409) ? 200 : code))
          : codes
        const isAlone = areBoth && outcomes(state, steps)[0]?.codes[0] === 409
        expect(outcomes(state, steps)).toContainEqual({
          codes: isAlone ? codes : seen,
          state: next,
        })
        state = next
      }
      const page = await service.send('GET', `/api/thesis?status=${state.status}&limit=200`)
      expect(JSON.stringify(page)).toContain(id)
      expect((await service.send('DELETE', `/api/thesis/${id}`))[0]).toBe(200)
      expect((await service.send('GET', `/api/thesis/${id}`))[0]).toBe(404)
    }),
    { numRuns: scaled(12) },
  )
}, 120_000)
