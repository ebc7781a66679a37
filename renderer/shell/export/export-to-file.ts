import type { Live } from '../../api/live.ts'
import { formatUtc, isoOf } from '../../lib/format.ts'
import { commandText, type Command, type LinkLetter, type TextForm } from '../commands/command.ts'
import { specOf } from '../commands/commands.ts'
import type { Dock } from '../dock/dock.ts'
import type { Pane } from '../dock/pane.svelte.ts'
import type { ExportedMarket } from './export-query.ts'

/** The parts of the terminal that an export uses. */
export interface Host {
  readonly live: Live
  readonly panes: ReadonlyMap<string, Pane>
  readonly dock: Dock | null
  readonly health: { readonly sample: boolean }
  /** The past instant that each link group shows; null for now. */
  readonly instants: Readonly<Record<LinkLetter, string | null>>
  lineOf(pane: Pane): string
  open(command: Command): Pane
  showNotice(text: string, tone?: 'info' | 'error'): void
}

export interface ExportedFile {
  readonly command: Command
  /** The market of the command. */
  readonly ticker: string | null
  /** Its link group. */
  readonly link: LinkLetter
  readonly form: TextForm
  /** The pane whose answer is exported; otherwise any pane that shows it. */
  readonly from?: Pane
}

/** Exports an answer and shows the result as a message. */
export function exportToFile(host: Host, exported: ExportedFile): void {
  const { command, ticker, link, form, from } = exported
  const { live } = host
  const shown = { ticker, asOf: ticker === null ? null : host.instants[link] }
  const sourcePane = () => from ?? paneShowing(host, command, shown)
  const outlet = {
    live,
    paneShowing: sourcePane,
    show: () => host.open({ ...command, sink: null }),
    picture: (pane: Pane) => pictureOf(host, pane, shown),
  }
  void import('./share.ts')
    .then(({ shareAnswer }) => shareAnswer(outlet, command, shown, form))
    .then(
      (text) => host.showNotice(text),
      (error: unknown) =>
        host.showNotice(error instanceof Error ? error.message : 'Failed', 'error'),
    )
}

/** An open pane that shows the answer of a command. */
function paneShowing(host: Host, command: Command, { ticker, asOf }: ExportedMarket): Pane | null {
  const subject = ticker === null ? command.subject : ({ kind: 'ticker', ticker } as const)
  const isOfMarket = specOf(command.verb).needsMarket
  const query = commandText({ ...command, ...(isOfMarket && { subject }), sink: null })
  const isShown = (pane: Pane) =>
    host.lineOf(pane) === query && (ticker === null || host.instants[pane.link] === asOf)
  return [...host.panes.values()].find(isShown) ?? null
}

async function pictureOf(host: Host, pane: Pane, { asOf }: ExportedMarket): Promise<Blob | null> {
  const { dock, health, live } = host
  const { clock } = live
  const line = `${host.lineOf(pane)}${asOf === null ? '' : ` as of ${formatUtc(asOf)}`}`
  const { panePicture } = await import('../dock/pane-picture.ts')
  return panePicture({
    frame: () => dock?.frame(pane.id) ?? null,
    isAnswered: () => pane.sources.every(({ body }) => body !== null),
    heading: () =>
      `${line} · ${formatUtc(isoOf(clock.read()))} · Augury${health.sample ? ' · SAMPLE' : ''}`,
    monotonic: () => clock.monotonic(),
  })
}
