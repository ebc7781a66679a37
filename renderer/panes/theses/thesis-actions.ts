import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import type { Answer } from '../../api/client.ts'
import type { Live } from '../../api/live.ts'
import { evaluateRoute, publishRoute, thesisRoute } from '../../api/thesis-queries.ts'

type Kind = 'evaluate' | 'unpublish' | 'pause' | 'resume'
type Done = { readonly ok: true; readonly text: string }

/** Something that is done after the user confirmed it. */
export interface ThesisAction {
  readonly kind: Kind
  /** What will happen, as a sentence. */
  readonly text: string
  /** Label of the button. */
  readonly label: string
  send(live: Pick<Live, 'send'>): Promise<Done | Extract<Answer<never>, { ok: false }>>
}

/** An action with its question and what it reports when it is done. */
export function actionOf(kind: Kind, thesis: ServedThesis): ThesisAction {
  const { id, title, slug } = thesis
  switch (kind) {
    case 'evaluate':
      return {
        kind,
        text: `Evaluate “${title}” now? The evaluation reads its waiting signals and the moves of its markets.`,
        label: 'Evaluate',
        async send(live) {
          const answer = await live.send('POST', evaluateRoute(id), {})
          return answer.ok ? { ok: true, text: answer.body.evaluation.summary } : answer
        },
      }
    case 'unpublish':
      return {
        kind,
        text: `Make “${title}” private? Its public page ${slug === null ? '' : `/thesis/${slug} `}will not be found any more.`,
        label: 'Unpublish',
        async send(live) {
          const answer = await live.send('DELETE', publishRoute(id))
          return answer.ok ? { ok: true, text: `“${title}” is private` } : answer
        },
      }
    default: {
      const status = kind === 'pause' ? 'paused' : 'active'
      return {
        kind,
        text: kind === 'pause' ? `Pause “${title}”?` : `Set “${title}” to active?`,
        label: kind === 'pause' ? 'Pause' : 'Set to active',
        async send(live) {
          const answer = await live.send('PATCH', thesisRoute(id), { status })
          return answer.ok ? { ok: true, text: `“${title}” is ${status}` } : answer
        },
      }
    }
  }
}
