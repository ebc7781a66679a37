import type { Live } from '../../api/live.ts'
import { formatUtc, isoOf } from '../../lib/format.ts'
import { commandText, type Command, type TextForm } from '../commands/command.ts'
import { specOf } from '../commands/commands.ts'
import type { Dock } from '../dock/dock.ts'
import type { Pane } from '../dock/pane.svelte.ts'

/** The parts of the terminal that an export uses. */
export interface Host {
  readonly live: Live
  readonly panes: ReadonlyMap<string, Pane>
  readonly dock: Dock | null
  readonly health: { readonly sample: boolean }
  lineOf(pane: Pane): string
  open(command: Command): Pane
  showNotice(text: string, tone?: 'info' | 'error'): void
}

export interface ExportedFile {
  readonly command: Command
  /** The market of the command. */
  readonly ticker: string | null
  readonly form: TextForm
  /** The pane whose answer is exported; otherwise any pane that shows it. */
  readonly from?: Pane
}

/** Exports an answer and shows the result as a message. */
export function exportToFile(host: Host, { command, ticker, form, from }: ExportedFile): void {
  const { live } = host
  const showing = () => from ?? paneShowing(host, command, ticker)
  const outlet = {
    live,
    paneShowing: showing,
    show: () => host.open({ ...command, sink: null }),
    picture: (pane: Pane) => pictureOf(host, pane),
  }
  void import('./share.ts')
    .then(({ shareAnswer }) => shareAnswer(outlet, command, ticker, form))
    .then(
      (text) => host.showNotice(text),
      (error: unknown) =>
        host.showNotice(error instanceof Error ? error.message : 'Failed', 'error'),
    )
}

/** An open pane that shows the answer of a command. */
function paneShowing(host: Host, command: Command, ticker: string | null): Pane | null {
  const subject = ticker === null ? command.subject : ({ kind: 'ticker', ticker } as const)
  const isOfMarket = specOf(command.verb).needsMarket
  const query = commandText({ ...command, ...(isOfMarket && { subject }), sink: null })
  return [...host.panes.values()].find((pane) => host.lineOf(pane) === query) ?? null
}

async function pictureOf(host: Host, pane: Pane): Promise<Blob | null> {
  const { dock, health, live } = host
  const { clock } = live
  const line = host.lineOf(pane)
  const { panePicture } = await import('../dock/pane-picture.ts')
  return panePicture({
    frame: () => dock?.frame(pane.id) ?? null,
    isAnswered: () => pane.sources.every(({ body }) => body !== null),
    heading: () =>
      `${line} · ${formatUtc(isoOf(clock.read()))} · Augury${health.sample ? ' · SAMPLE' : ''}`,
    monotonic: () => clock.monotonic(),
  })
}
