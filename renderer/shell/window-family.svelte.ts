import { LINK_LETTERS, type LinkLetter } from './command.ts'
import type { Dock } from './dock.ts'
import type { Pane } from './pane.svelte.ts'
import { aloneAddress, type Alone } from './pop-out.ts'

const NAME = 'augury.family'
const SIZE = { width: 760, height: 560 } as const

/** What a window tells the others of its family, and takes from them. */
export interface FamilyMember {
  /** Set in a window that shows one pane alone. */
  readonly alone: Alone | null
  readonly panes: ReadonlyMap<string, Pane>
  readonly dock: Pick<Dock, 'close'> | null
  /** Told when the user turns a link group to another market. */
  onfocus: ((letter: LinkLetter, ticker: string) => void) | null
  takeFocus(letter: LinkLetter, ticker: string): void
  say(text: string, tone?: 'error'): void
}

/** The parts of the browser that windows of single panes need. */
export interface FamilySurroundings {
  /** Lives as long as the tab, through reloads. */
  readonly session: Pick<Storage, 'getItem' | 'setItem'>
  readonly channel: (name: string) => Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>
  readonly open: (address: string, name: string, features: string) => unknown
  readonly newName: () => string
}

interface Told {
  readonly letter: LinkLetter
  readonly ticker: string
}

const readTold = (value: unknown): Told | null => {
  const { letter, ticker } = (value ?? {}) as Record<string, unknown>
  const known = LINK_LETTERS.find((other) => other === letter)
  return known !== undefined && typeof ticker === 'string' ? { letter: known, ticker } : null
}

/** The windows that share their link groups: the terminal and the panes that it let go of. */
export class WindowFamily {
  readonly name: string
  readonly #around: FamilySurroundings
  readonly #channel: ReturnType<FamilySurroundings['channel']>

  constructor(terminal: FamilyMember, around: FamilySurroundings) {
    this.#around = around
    this.name = terminal.alone?.family ?? around.session.getItem(NAME) ?? around.newName()
    around.session.setItem(NAME, this.name)
    this.#channel = around.channel(`augury.windows.${this.name}`)
    this.#channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const told = readTold(data)
      if (told !== null) terminal.takeFocus(told.letter, told.ticker)
    }
    terminal.onfocus = (letter, ticker) =>
      this.#channel.postMessage({ letter, ticker } satisfies Told)
  }

  /** Shows a pane in a window of its own; false when the browser refuses windows. */
  show(pane: Pane): boolean {
    const { name: family } = this
    const address = aloneAddress({ line: pane.line, link: pane.link, family })
    const features = `popup,width=${SIZE.width},height=${SIZE.height}`
    const name = `augury-pane-${this.#around.newName()}`
    return Boolean(this.#around.open(`/${address}`, name, features))
  }
}

let family: WindowFamily | null = null

/** The family of this page, made when first needed. */
export function familyOf(terminal: FamilyMember): WindowFamily {
  if (family !== null) return family
  family = new WindowFamily(terminal, {
    session: sessionStorage,
    channel: (name) => new BroadcastChannel(name),
    open: (address, name, features) => window.open(address, name, features),
    newName: () => crypto.randomUUID(),
  })
  if (terminal.alone !== null) followPane(terminal, terminal.alone)
  return family
}

/** The address of a window of its own says what it shows, so that a reload shows it again. */
function followPane(terminal: FamilyMember, alone: Alone): void {
  $effect.root(() => {
    $effect(() => {
      const [pane] = terminal.panes.values()
      if (pane === undefined) return
      document.title = `${pane.title} · Augury`
      const { line, link } = pane
      history.replaceState(null, '', aloneAddress({ ...alone, line, link }))
    })
  })
}

/** Moves a pane into a window of its own, and says how it went. */
export function popOut(terminal: FamilyMember, pane: Pane): void {
  if (!familyOf(terminal).show(pane)) {
    terminal.say('The browser refused a new window: allow pop-ups for this address', 'error')
    return
  }
  terminal.dock?.close(pane.id)
  terminal.say(`${pane.title} stands in a window of its own. UNDO brings it back here as well`)
}
