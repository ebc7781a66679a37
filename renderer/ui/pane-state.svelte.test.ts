import '../testing/set-up-page.ts'
import type { Path } from '../api/path.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { createRawSnippet, flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import type { ApiFailure } from '../api/client.ts'
import { Source } from '../api/source.svelte.ts'
import { sentenceOf, waitText } from './pane-state.ts'
import PaneState from './PaneState.svelte'

const now = Date.parse('2026-11-20T10:00:00.000Z')
const children = createRawSnippet(() => ({ render: () => '<p>the rows</p>' }))

interface Body {
  readonly at: string
}
const sourceOf = (): Source<Body> =>
  new Source<Body>({
    path: '/x' as Path<Body>,
    interval: 5000,
    cadence: 60_000,
    timeOf: ({ at }) => at,
  })
const refusal: ApiFailure = {
  kind: 'refused',
  status: 502,
  code: 'UPSTREAM_UNAVAILABLE',
  message: 'Venue A did not answer',
  retryAfter: null,
}

function show(
  source: Source<Body>,
  empty: { text: string; action?: { label: string; run: () => void } } | null = null,
) {
  const retries: string[] = []
  const onretry = () => void retries.push('now')
  render(PaneState, { noun: 'movers', sources: [source], now, onretry, empty, children })
  return retries
}

describe('PaneState', () => {
  it('shows a labelled skeleton while loading', () => {
    show(sourceOf())
    expect(screen.getByRole('status', { name: 'Loading movers' })).toBeTruthy()
    expect(screen.queryByText('the rows')).toBeNull()
  })

  it('shows the data', () => {
    const source = sourceOf()
    source.body = { at: '2026-11-20T09:59:50.000Z' }
    show(source)
    expect(screen.getByText('the rows')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows the failure and the next retry instead of an empty pane', async () => {
    const source = sourceOf()
    source.failure = refusal
    source.nextTryAt = now + 8000
    const retries = show(source)
    expect(screen.getByRole('alert').textContent).toContain('Venue A did not answer (502).')
    expect(screen.getByText('Trying again in 8 s.')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(retries).toEqual(['now'])
  })

  it('keeps the last good data on screen during a failure', () => {
    const source = sourceOf()
    source.body = { at: '2026-11-20T09:59:00.000Z' }
    source.failure = { ...refusal, kind: 'unreachable', status: null, message: 'gone' }
    source.nextTryAt = now + 2000
    show(source)
    expect(screen.getByText('the rows')).toBeTruthy()
    expect(screen.getByText('SAVED')).toBeTruthy()
    expect(screen.getByRole('status').textContent).toMatch(
      /Offline\. Showing data.of \d\d:\d\d:\d\d/,
    )
  })

  it('waits when the rate limit is reached', () => {
    const source = sourceOf()
    source.failure = { ...refusal, kind: 'limited', status: 429, message: 'rate limit exceeded' }
    source.nextTryAt = now + 30_000
    show(source)
    expect(screen.getByRole('alert').textContent).toMatch(
      /Limit reached\. *Continues at \d\d:\d\d:\d\d/,
    )
  })

  it('shows that a first result is still being computed, without an alert [terminal.world.not-ready]', () => {
    const source = sourceOf()
    source.failure = { ...refusal, status: 503, code: 'NOT_READY', message: 'not ready' }
    source.nextTryAt = now + 4000
    show(source)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('status').textContent).toMatch(
      /The first result is being computed\..*Trying again in 4 s\./,
    )
  })

  it('shows one sentence and one action when there is nothing', async () => {
    const source = sourceOf()
    source.body = { at: '2026-11-20T09:59:50.000Z' }
    const runs: string[] = []
    const action = { label: 'Remove vol24h>1000', run: () => void runs.push('removed') }
    show(source, { text: 'No market matches. Remove vol24h>1000', action })
    await fireEvent.click(screen.getByRole('button', { name: 'Remove vol24h>1000' }))
    expect(runs).toEqual(['removed'])
    expect(screen.queryByText('the rows')).toBeNull()
  })

  it('shows an error as an alert, a limit as a limit, and neither while it computes', () => {
    const classesOf = (more: Partial<ApiFailure>) => {
      const source = sourceOf()
      source.failure = { ...refusal, ...more }
      const { container, unmount } = render(PaneState, {
        noun: 'movers',
        sources: [source],
        now,
        onretry: () => {},
        children,
      })
      const classes = ['cause', 'limit'].filter((name) => container.querySelector(`.${name}`))
      unmount()
      return classes
    }
    expect(classesOf({})).toEqual(['cause'])
    expect(classesOf({ kind: 'limited' })).toEqual(['cause', 'limit'])
    expect(classesOf({ code: 'NOT_READY' })).toEqual([])
  })

  it('waits for the answer of each request', () => {
    const [first, second] = [sourceOf(), sourceOf()]
    first.body = { at: '2026-11-20T09:59:50.000Z' }
    second.failure = { ...refusal, kind: 'timeout' }
    const props = { noun: 'movers', now, onretry: () => {}, children }
    const { container } = render(PaneState, { ...props, sources: [first, second], lines: 3 })
    expect(screen.getByRole('alert')).toBeTruthy()
    second.failure = null
    flushSync()
    expect(container.querySelectorAll('.line')).toHaveLength(3)
  })
})

describe('texts of an error', () => {
  it.each([
    [{}, 'Venue A did not answer (502).'],
    [{ message: 'Failed with 502.' }, 'Failed with 502.'],
    [{ status: null }, 'Venue A did not answer (UPSTREAM_UNAVAILABLE).'],
    [{ status: null, code: null }, 'Venue A did not answer.'],
    [{ kind: 'limited' }, 'Limit reached.'],
    [{ code: 'NOT_READY' }, 'The first result is being computed.'],
  ] as const)('%j: %s', (more, text) => {
    expect(sentenceOf({ ...refusal, ...more })).toBe(text)
  })

  it.each([
    [null, null, ''],
    [Infinity, null, ''],
    [8_000, null, 'Trying again in 8 s.'],
    [7_001, 'timeout', 'Trying again in 8 s.'],
    [1, null, 'Trying again in 1 s.'],
    [0, null, 'Trying again.'],
    [-5_000, 'refused', 'Trying again.'],
  ] as const)('the next attempt in %s ms after %s: “%s”', (wait, kind, text) => {
    expect(waitText(wait === null ? null : now + wait, now, kind)).toBe(text)
  })
})
