import { earlyKeys } from './first-paint.ts'
import { mount } from 'svelte'
import type { Bridge } from '../electron/bridge.ts'
import './theme.css'
import './base.css'
import './shell/dock/dock-structure.css'
import './shell/dock/dock.css'
import { consumeCliToken } from './api/cli-login.ts'
import { createClient } from './api/client.ts'
import { Live } from './api/live.ts'
import { openBrowserSocket } from './api/socket/browser-socket.ts'
import { Topics } from './api/socket/topics.svelte.ts'
import { signInByTicket } from './api/session.ts'
import App from './App.svelte'
import { PageClock } from './lib/clock.svelte.ts'
import { pacedFrames } from './lib/paced-frames.ts'
import { MarketFinder } from './shell/bar/market-finder.ts'
import { begin } from './shell/dock/pop-out.ts'
import { Terminal } from './shell/terminal.svelte.ts'

// Secrets are removed from the address before anything else happens.
const cliToken = consumeCliToken({ location, history })
// Before the first request, so that the first answers already belong to a known user.
const hasEntered = await signInByTicket({
  location,
  history,
  fetchFn: (input, init) => fetch(input, init),
})

/** Prices are drawn at most this often: every third frame. */
const PRICES_MS = 45

const clock = new PageClock()
const onFrame = (work: () => void) => void requestAnimationFrame(work)
const live = new Live({
  client: createClient((input, init) => fetch(input, init)),
  topics: new Topics({
    clock,
    onFrame: pacedFrames(
      {
        onFrame,
        now: () => clock.monotonic(),
        schedule: (work, ms) => void setTimeout(work, ms),
      },
      PRICES_MS,
    ),
    open: (events) => openBrowserSocket(location.href, events),
    chance: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    onTime: (serviceTime) => clock.synchronise(serviceTime),
  }),
  clock,
  onFrame,
  inView: () => document.visibilityState === 'visible',
})
const ranking = import('./shell/bar/market-ranking.ts')

const target = document.getElementById('app')
if (target === null) throw new Error('The page has no element for the terminal')
target.replaceChildren()
// A pane in a window of its own, or the safe start that the desktop shell requests when a stored
// layout may crash the page.
const page = begin({ location, history, store: localStorage })
const terminal = new Terminal(live, page.storage, page.singlePane)
if (hasEntered) terminal.account.onSignIn()
mount(App, {
  target,
  props: {
    terminal,
    cliToken,
    finder: new MarketFinder(ranking.then(({ createMarketRanking }) => createMarketRanking())),
  },
})
void earlyKeys.replay()
const { augury: bridge } = window as { readonly augury?: Bridge }
if (bridge !== undefined) {
  void import('./shell/window/desktop.svelte.ts').then(({ joinDesktop }) =>
    joinDesktop(terminal, bridge),
  )
}
