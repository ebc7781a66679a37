import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import type { Answer } from '../../api/client.ts'
import type { Live } from '../../api/live.ts'
import {
  augmentRoute,
  evaluateRoute,
  forkRoute,
  publishRoute,
  thesisRoute,
} from '../../api/thesis-queries.ts'

type Kind = 'evaluate' | 'augment' | 'fork' | 'unpublish' | 'pause' | 'resume'
interface ActionResult {
  readonly ok: true
  readonly text: string
  /** The thesis to show next; absent for the same one. */
  readonly id?: string
}

/** A write that the user confirms before it is sent. */
export interface ThesisAction {
  readonly kind: Kind
  /** Effect of the action, as a sentence. */
  readonly text: string
  /** Label of the button. */
  readonly label: string
  send(live: Pick<Live, 'send'>): Promise<ActionResult | Extract<Answer<never>, { ok: false }>>
}

/** An action on a thesis, with the texts of its confirmation and its result. */
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
    case 'augment':
      return {
        kind,
        text: `Add conditions to “${title}”? They come from markets near its conditions, or from the language model. Their weight is 0 until you set it; nothing that exists changes.`,
        label: 'Augment',
        async send(live) {
          const answer = await live.send('POST', augmentRoute(id), {})
          if (!answer.ok) return answer
          const { length } = answer.body.added
          return {
            ok: true,
            text:
              length === 0
                ? 'No nearby market adds a condition'
                : `${length} ${length === 1 ? 'condition' : 'conditions'} added with weight 0`,
          }
        },
      }
    case 'fork':
      return forkAction(thesis, null)
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

/** A copy of a thesis; with a claim, a new thesis that continues from it. */
export function forkAction(
  { id, title }: Pick<ServedThesis, 'id' | 'title'>,
  claim: string | null,
): ThesisAction {
  const isCopy = claim === null
  return {
    kind: 'fork',
    text: isCopy
      ? `Copy “${title}”? The copy has its claim, conditions and edges, not its signals, strategies, positions or publication.`
      : `Continue “${title}” under the new claim? A new thesis is formed from it; this one becomes dormant and keeps its positions.`,
    label: isCopy ? 'Fork' : 'Evolve',
    async send(live) {
      const answer = await live.send('POST', forkRoute(id), isCopy ? {} : { newRawThesis: claim })
      const text = isCopy ? `“${title}” was copied` : `“${title}” continues under the new claim`
      return answer.ok ? { ok: true, text, id: answer.body.id } : answer
    },
  }
}
