import type { Iso } from '../../../../backend/contract/schemas.ts'
import { marketCatalysts, marketChanges, marketResolution } from '../../../api/context-queries.ts'
import { marketFills } from '../../../api/portfolio-queries.ts'
import { evaluationFeed, thesesOfMarket } from '../../../api/thesis-queries.ts'
import { MARK_KINDS, MARK_LABELS, type MarkKind } from '../../../charts/mark-kinds.ts'
import type { FillMark } from '../../../shell/links/fill-marks.svelte.ts'
import { tickerWord } from '../../../shell/examples/ticker-word.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import type { MenuItem } from '../../../ui/menu/menu.ts'
import {
  changesOf,
  datesOf,
  evaluationsOf,
  fillsOf,
  settlementsOf,
  visibleEventsOf,
  type ChartEvent,
} from './chart-events.ts'

const DAY = 86_400_000

interface Inputs {
  readonly terminal: () => Terminal
  readonly ticker: () => string | null
  /** The instant that is shown; null for now. */
  readonly asOf: () => Iso | null
  readonly isSettled: () => boolean
  /** Marked fills of a backtest. */
  readonly backtestFills: () => readonly FillMark[]
  /** Shows the link group as of an instant. */
  readonly showAt: (at: Iso) => void
}

const backtestEvent = (fill: FillMark): ChartEvent => ({
  ...fill,
  kind: null,
  isMinor: false,
  fill: null,
  thesis: null,
})

/**
 * Events that a chart marks, from the routes that have them. Create it during a component's
 * initialisation.
 */
export class ChartMarks {
  readonly #inputs: Inputs
  readonly #ticker = $derived.by(() => this.#inputs.ticker())
  readonly #asOf = $derived.by(() => this.#inputs.asOf())
  readonly #hiddenKinds = $derived.by(() => this.#inputs.terminal().settings.hiddenMarks)
  readonly #isSignedIn = $derived.by(() => this.#inputs.terminal().account.signInState === 'known')
  /** The time at which the chart is shown, in milliseconds. */
  readonly #shownAt = $derived.by(() =>
    this.#asOf === null ? this.#inputs.terminal().live.clock.now : Date.parse(this.#asOf),
  )
  readonly #today = $derived.by(() => Math.floor(this.#shownAt / DAY) * DAY)
  readonly #live = $derived.by(() => this.#inputs.terminal().live)

  readonly #calendar = $derived.by(() =>
    this.#ticker === null
      ? null
      : this.#live.source(marketCatalysts(this.#ticker, this.#today, this.#asOf)),
  )
  readonly resolution = $derived.by(() =>
    this.#ticker === null || !this.#inputs.isSettled()
      ? null
      : this.#live.source(marketResolution(this.#ticker, this.#asOf)),
  )
  readonly #changes = $derived.by(() =>
    this.#ticker === null || !this.#isShown('change')
      ? null
      : this.#live.source(marketChanges(this.#ticker, this.#asOf)),
  )
  readonly #linkedTheses = $derived.by(() =>
    this.#ticker === null || !this.#isSignedIn || !this.#isShown('thesis')
      ? null
      : this.#live.source(thesesOfMarket(this.#ticker, this.#asOf)),
  )
  readonly #evaluations = $derived.by(() =>
    (this.#linkedTheses?.body?.theses ?? []).some(({ thesisId }) => thesisId !== undefined)
      ? this.#live.source(evaluationFeed(this.#asOf))
      : null,
  )
  readonly #fills = $derived.by(() =>
    this.#ticker === null || !this.#isSignedIn || !this.#isShown('fill')
      ? null
      : this.#live.source(marketFills(this.#ticker, this.#asOf)),
  )

  readonly sources = $derived.by(() =>
    [
      this.#calendar,
      this.resolution,
      this.#changes,
      this.#linkedTheses,
      this.#evaluations,
      this.#fills,
    ].filter((source) => source !== null),
  )
  readonly visibleEvents: readonly ChartEvent[] = $derived.by(() =>
    visibleEventsOf(
      [
        ...datesOf(this.#calendar?.body ?? null),
        ...settlementsOf(this.resolution?.body ?? null),
        ...changesOf(this.#changes?.body ?? null),
        ...evaluationsOf(this.#linkedTheses?.body ?? null, this.#evaluations?.body ?? null),
        ...fillsOf(this.#fills?.body ?? null),
        ...this.#inputs.backtestFills().map(backtestEvent),
      ],
      this.#hiddenKinds,
      this.#asOf,
    ),
  )

  constructor(inputs: Inputs) {
    this.#inputs = inputs
  }

  #isShown(kind: MarkKind): boolean {
    return !this.#hiddenKinds.includes(kind)
  }

  /** A switch for each kind, and why there is none for news. */
  menu(): readonly MenuItem[] {
    const terminal = this.#inputs.terminal()
    const { settings, account } = terminal
    const isAnonymous = account.signInState === 'anonymous'
    const switches = MARK_KINDS.map((kind): MenuItem => {
      const needsAccount = isAnonymous && (kind === 'fill' || kind === 'thesis')
      return {
        label: `${this.#isShown(kind) ? '✓ ' : ''}${MARK_LABELS[kind]}`,
        key: needsAccount ? 'sign in' : null,
        run: () => settings.toggleMarks(kind),
      }
    })
    const news = {
      label: 'News',
      key: 'no source',
      run: () =>
        terminal.showNotice('No source of news is connected, so the chart has none to mark'),
    }
    return [...switches, news]
  }

  /** Opens the pane of an event; when it is past, the link group shows its instant. */
  open(event: ChartEvent): void {
    const terminal = this.#inputs.terminal()
    const ticker = this.#ticker
    if (ticker === null) return
    const line = this.#lineOf(event, tickerWord(ticker), this.#shownAt)
    if (event.time * 1000 <= terminal.live.clock.now) this.#inputs.showAt(event.at)
    if (line !== null) terminal.run(line)
  }

  #lineOf({ kind, thesis, time }: ChartEvent, market: string, now: number): string | null {
    switch (kind) {
      case 'release':
        return `${market} CAL`
      case 'settlement':
        return time * 1000 > now ? `${market} CAL` : `${market} CHG 7d`
      case 'change':
        return `${market} CHG 24h`
      case 'thesis':
        return thesis === null ? 'THES' : `THES ${thesis}`
      case 'fill':
        return 'LEDG fills'
      case null:
        return null
    }
  }
}
