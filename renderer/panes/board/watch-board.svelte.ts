import { SvelteMap } from 'svelte/reactivity'
import type { Answer } from '../../api/client.ts'
import { freshnessOf, type Freshness } from '../../../backend/domain/data-age.ts'
import { worstOf } from '../../api/freshness.ts'
import type { Source } from '../../api/source.svelte.ts'
import {
  board as boardQuery,
  panelRoute,
  panelsRoute,
  reorderRoute,
  runRoute,
} from '../../api/watch-queries.ts'
import type { BoardTier, Hydration, Panel } from '../../../backend/contract/panels/panels.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { BoardEdits } from './board-edits.ts'
import { spanLabel } from './board-labels.ts'
import type { PanelBody } from './panel-draft.ts'
import { refusalOf, type PanelRefusal } from './panel-reasons.ts'

/** A run takes up to 15 s, after up to 10 s in the queue. */
const RUN_TIMEOUT = 30_000
const SECOND = 1_000

/** State of a panel's manual runs in this window. */
interface RunState {
  readonly busy: boolean
  /** Monotonic time when the next run may start; null while one may start now. */
  readonly until: number | null
  readonly refusal: string | null
}
const IDLE: RunState = { busy: false, until: null, refusal: null }

type Change = PanelBody & { readonly status?: Panel['status'] }

/** The user's panels: their order, their runs, and pending changes. */
export class WatchBoard {
  readonly source: Source<Hydration>
  readonly edits: BoardEdits
  readonly #terminal: Terminal
  readonly #runs = new SvelteMap<string, RunState>()
  /** The requested order, until the service confirms it. */
  #order = $state.raw<readonly string[] | null>(null)
  #isOrdering = false
  /** New ids of restored panels by their previous ones. */
  readonly #replacedIds: Record<string, string> = {}

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.source = terminal.live.source(boardQuery)
    this.edits = new BoardEdits((text, tone) => terminal.showNotice(text, tone))
  }

  get tier(): BoardTier | null {
    return this.source.body?.tier ?? null
  }

  /** The panels in their order. */
  get panels(): readonly Panel[] {
    const panels = this.source.body?.panels ?? []
    const order = this.#order
    if (order === null) return panels
    const index = (panel: Panel) => {
      const at = order.indexOf(panel.id)
      return at < 0 ? order.length : at
    }
    return panels.toSorted((a, b) => index(a) - index(b))
  }

  panel(id: string | null): Panel | null {
    return this.panels.find((panel) => panel.id === id) ?? null
  }

  /** Adds a panel at the end; returns why it was rejected, or its id. */
  async add(body: PanelBody): Promise<PanelRefusal | { readonly id: string }> {
    const panel = await this.#post(body)
    if ('field' in panel) return panel
    const { id, title } = panel
    this.edits.record({
      text: `“${title}” added`,
      undo: () => this.#delete(this.#currentId(id)),
      redo: async () => {
        const newPanel = await this.#post(body)
        if ('field' in newPanel) return newPanel.text
        this.#replacedIds[this.#currentId(id)] = newPanel.id
        return null
      },
    })
    return { id }
  }

  /** Changes a panel; returns why it was rejected. */
  async change(panel: Panel, change: Change): Promise<PanelRefusal | null> {
    if (Object.keys(change).length === 0) return null
    const previous: Change = {
      ...(change.title !== undefined && { title: panel.title }),
      ...(change.spec !== undefined && { spec: panel.spec }),
      ...(change.status !== undefined && { status: panel.status }),
    }
    const refusal = await this.#patch(panel.id, change)
    if (refusal !== null) return refusal
    const { id, title } = panel
    const apply = async (body: Change) =>
      (await this.#patch(this.#currentId(id), body))?.text ?? null
    this.edits.record({
      text: `“${title}” changed`,
      undo: () => apply(previous),
      redo: () => apply(change),
    })
    return null
  }

  /** Removes a panel; returns why that failed. */
  async remove(panel: Panel): Promise<string | null> {
    const index = this.panels.findIndex(({ id }) => id === panel.id)
    const problem = await this.#delete(panel.id)
    if (problem !== null) return problem
    const { id, title, spec, status } = panel
    this.edits.record({
      text: `“${title}” removed`,
      undo: async () => {
        const newPanel = await this.#post({ title, spec })
        if ('field' in newPanel) return newPanel.text
        this.#replacedIds[this.#currentId(id)] = newPanel.id
        const pauseRefusal = status === 'paused' ? await this.#patch(newPanel.id, { status }) : null
        const otherIds = this.panels.flatMap((other) =>
          other.id === newPanel.id ? [] : [other.id],
        )
        const orderProblem = await this.#reorder(otherIds.toSpliced(index, 0, newPanel.id))
        return pauseRefusal?.text ?? orderProblem
      },
      redo: () => this.#delete(this.#currentId(id)),
    })
    return null
  }

  /** Moves a panel to a place, from 0; returns its new place, or null when it did not move. */
  move(id: string, index: number): number | null {
    const previous = this.panels.map((panel) => panel.id)
    const from = previous.indexOf(id)
    const to = Math.max(0, Math.min(index, previous.length - 1))
    if (from < 0 || from === to) return null
    const newOrder = previous.toSpliced(from, 1).toSpliced(to, 0, id)
    const title = this.panel(id)?.title ?? ''
    void this.#reorder(newOrder).then((problem) => {
      if (problem !== null) this.#terminal.showNotice(problem, 'error')
    })
    const apply = (order: readonly string[]) =>
      this.#reorder(order.map((panelId) => this.#currentId(panelId)))
    this.edits.record({
      text: `“${title}” moved`,
      undo: () => apply(previous),
      redo: () => apply(newOrder),
    })
    return to
  }

  /** Runs a panel now; returns why not while it cools down. */
  async run(panel: Panel): Promise<void> {
    const { live } = this.#terminal
    const { id, title } = panel
    if (this.isRunning(id)) return
    const remainingMs = this.cooldownLeft(panel)
    if (remainingMs > 0) {
      this.#terminal.showNotice(this.cooldownLabel(remainingMs))
      return
    }
    this.#runs.set(id, { ...IDLE, busy: true })
    const startedAt = live.clock.monotonic()
    const answer = await live.send('POST', runRoute(id), undefined, RUN_TIMEOUT)
    const cooldown = (this.tier?.manualRefreshCooldownSeconds ?? 0) * SECOND
    const refusal = answer.ok ? null : refusalOf(answer.failure).text
    const until = answer.ok ? startedAt + cooldown : this.#untilAfter(answer, startedAt, cooldown)
    this.#runs.set(id, { busy: false, until, refusal })
    if (answer.ok) this.#terminal.showNotice(`“${title}” ran`)
    else this.#terminal.showNotice(`“${title}”: ${refusal ?? ''}`, 'error')
    live.refetch(this.source)
  }

  isRunning(id: string): boolean {
    return this.#runs.get(id)?.busy === true
  }

  /** Why the newest manual run was rejected in this window. */
  refusalOf(id: string): string | null {
    return this.#runs.get(id)?.refusal ?? null
  }

  /** Whole seconds until a panel may be run manually again; changes with the page's clock. */
  cooldownLeft({ id, cooldownUntil }: Panel): number {
    const { clock } = this.#terminal.live
    const { steady } = clock
    const until = this.#runs.get(id)?.until ?? null
    if (until !== null) return Math.ceil(Math.max(0, until - steady) / SECOND)
    if (cooldownUntil === null) return 0
    const max = this.tier?.manualRefreshCooldownSeconds ?? 0
    const remainingSeconds = (Date.parse(cooldownUntil) - clock.machine()) / SECOND
    return Math.ceil(Math.max(0, Math.min(remainingSeconds, max)))
  }

  /** `Refresh again in 42 s (Free)`. */
  cooldownLabel(remainingSeconds: number): string {
    const name = this.tier?.name ?? 'tier unknown'
    return `Refresh again in ${spanLabel(remainingSeconds)} (${name.charAt(0).toUpperCase()}${name.slice(1)})`
  }

  /**
   * Age and freshness of a panel's content. The service reports a stale source; when the board
   * itself was not refreshed lately, the panel is no fresher than the board.
   */
  freshness({ sourceClock, cacheState }: Panel): {
    readonly age: number | null
    readonly freshness: Freshness
  } {
    const { now } = this.#terminal.live.clock
    const asOf = sourceClock?.asOf ?? null
    const age = asOf === null ? null : Math.max(0, now - Date.parse(asOf))
    const { dataAt, cadence } = this.source
    const boardAge = dataAt === null ? null : now - dataAt
    const isStale = sourceClock?.stale === true
    return {
      age,
      freshness: worstOf([
        isStale ? 'stale' : cacheState === 'stale' ? 'late' : 'fresh',
        freshnessOf(boardAge, cadence),
      ]),
    }
  }

  /** Milliseconds until the service has new content; null while nothing is due. */
  nextDue(now: number): number | null {
    const waits = this.panels.flatMap(({ executionStatus, nextRunAt, status }) => {
      if (executionStatus === 'pending') return [2 * SECOND]
      if (nextRunAt === null || status === 'paused') return []
      return [Math.max(2 * SECOND, Date.parse(nextRunAt) - now + SECOND)]
    })
    return waits.length === 0 ? null : Math.min(...waits)
  }

  #currentId(id: string): string {
    const next = this.#replacedIds[id]
    return next === undefined ? id : this.#currentId(next)
  }

  #untilAfter(answer: Answer<object>, startedAt: number, cooldown: number): number | null {
    if (answer.ok) return null
    const { kind, details, retryAfter } = answer.failure
    const retryAfterSeconds = details?.['retryAfterSeconds']
    if (typeof retryAfterSeconds === 'number')
      return this.#terminal.live.clock.monotonic() + retryAfterSeconds * SECOND
    if (kind === 'limited') return startedAt + (retryAfter ?? SECOND)
    // Only a run that never started releases its cooldown.
    const ran = ['panel_execution_timeout', 'panel_execution_failed'].includes(
      String(details?.['reason']),
    )
    return ran ? startedAt + cooldown : null
  }

  async #post(body: PanelBody): Promise<PanelRefusal | { id: string; title: string }> {
    const { live } = this.#terminal
    const answer = await live.send('POST', panelsRoute, body)
    live.refetch(this.source)
    if (!answer.ok) return refusalOf(answer.failure)
    const { id, title } = answer.body.panel
    return { id, title }
  }

  async #patch(id: string, change: Change): Promise<PanelRefusal | null> {
    const { live } = this.#terminal
    const answer = await live.send('PATCH', panelRoute(id), change)
    live.refetch(this.source)
    return answer.ok ? null : refusalOf(answer.failure)
  }

  async #delete(id: string): Promise<string | null> {
    const { live } = this.#terminal
    const answer = await live.send('DELETE', panelRoute(id))
    if (answer.ok) this.#applyToShown((panels) => panels.filter((panel) => panel.id !== id))
    live.refetch(this.source)
    return answer.ok ? null : refusalOf(answer.failure).text
  }

  /** Sends an order; orders requested meanwhile are combined into one. */
  async #reorder(order: readonly string[]): Promise<string | null> {
    this.#order = order
    if (this.#isOrdering) return null
    this.#isOrdering = true
    let problem: string | null = null
    for (let sentOrder = order; problem === null; sentOrder = this.#order) {
      const positions = sentOrder.map((id, sortIdx) => ({ id, sortIdx }))
      const answer = await this.#terminal.live.send('POST', reorderRoute, { order: positions })
      problem = answer.ok ? null : refusalOf(answer.failure).text
      if (sentOrder === this.#order) break
    }
    const panels = problem === null ? this.panels : null
    this.#order = null
    this.#isOrdering = false
    if (panels !== null) this.#applyToShown(() => panels)
    this.#terminal.live.refetch(this.source)
    return problem
  }

  /** Shows the accepted order before the service returns it. */
  #applyToShown(change: (panels: readonly Panel[]) => readonly Panel[]): void {
    const { body } = this.source
    if (body !== null) this.source.body = { ...body, panels: [...change(body.panels)] }
  }
}
