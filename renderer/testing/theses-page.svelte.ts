import { render } from '@testing-library/svelte'
import { onTestFinished, vi } from 'vitest'
import type { TrackRecord } from '../../backend/contract/theses/reads.ts'
import type { ServedEvaluation, ServedThesis } from '../../backend/contract/theses/thesis.ts'
import ThesesPane from '../panes/theses/ThesesPane.svelte'
import { pageUnderTest, refused, type Sent } from './page-under-test.ts'
import { evaluationUnderTest, thesisUnderTest, trackRecordUnderTest } from './theses.ts'

const AT = '2026-11-20T10:00:00.000Z'
const ME = {
  user: { id: 'usr_1', name: 'Owner', tier: 'free', isOwner: true, isAdmin: true },
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
  tier: { tier: 'free', requestsPerMinute: 600 },
}

interface Scene {
  readonly theses?: readonly ServedThesis[]
  readonly trackRecord?: TrackRecord
  /** Evaluations; `unreadable` rejects their reads and those of the heartbeat. */
  readonly evaluations?: readonly ServedEvaluation[] | 'unreadable'
  readonly write?: (sent: Sent) => object
  /** Responses to other reads. */
  readonly read?: (path: string) => object | null
}

/** The pane of theses on mocked timers, drawn for a command once the user is known. */
export async function showTheses(line: string, scene: Scene = {}) {
  let theses = scene.theses ?? [thesisUnderTest()]
  const pageInfo = { limit: 200, nextCursor: null, hasMore: false }
  const page = pageUnderTest(
    (path) => {
      if (path === '/api/auth/me') return ME
      // Each answer is a new body, as one that was received.
      const shown = structuredClone(theses)
      if (path.startsWith('/api/thesis?')) return { data: shown, theses: shown, pageInfo }
      if (scene.evaluations === 'unreadable' && /evaluations|heartbeat/.test(path)) {
        return refused(409, 'CONFLICT', 'It is gone')
      }
      const nodeProbabilities = { n1: 0.5, n2: 0.4 }
      if (path.includes('/evaluations')) {
        const rows = scene.evaluations ?? [evaluationUnderTest({ nodeProbabilities })]
        return { data: rows, pageInfo }
      }
      if (path.includes('/context')) {
        const none = { closedEdges: 0, edges: [], brier: null, avgReturnPct: null }
        return { trackRecord: scene.trackRecord ?? trackRecordUnderTest(none) }
      }
      return shown.find(({ id }) => path === `/api/thesis/${id}`) ?? scene.read?.(path) ?? null
    },
    (sent) => {
      const body = scene.write?.(sent) ?? {}
      return 'ok' in body ? (body as ReturnType<typeof refused>) : { ok: true, body }
    },
  )
  page.service.isSignedIn = true
  const { account } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => page.terminal.live.clock.start())
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  onTestFinished(() => {
    stop()
    page.stop()
  })
  await vi.advanceTimersByTimeAsync(100)
  const pane = page.paneOf(line)
  page.terminal.focusedPane = pane.id
  render(ThesesPane, { terminal: page.terminal, pane })
  await vi.advanceTimersByTimeAsync(200)
  const keys = async (...chords: readonly (string | KeyboardEventInit)[]) => {
    for (const chord of chords) {
      const init = typeof chord === 'string' ? { key: chord } : chord
      page.terminal.keys.handle(new KeyboardEvent('keydown', init), [`pane:${pane.id}`])
      await vi.advanceTimersByTimeAsync(50)
    }
  }
  return { ...page, pane, keys, serve: (next: readonly ServedThesis[]) => (theses = next) }
}
