import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { singlePaneAddress, singlePaneOf, keepWithoutLayouts } from './pop-out.ts'
import { WindowFamily, type WindowFamilyDeps } from './window-family.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

type Channel = ReturnType<WindowFamilyDeps['channel']>

/** Like a browser's BroadcastChannel: every other channel of the same name receives a message. */
function browser() {
  const channels: { name: string; channel: Channel }[] = []
  const opened: string[] = []
  let count = 0
  const deps = (): WindowFamilyDeps => {
    const kept = new Map<string, string>()
    return {
      session: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, text) => void kept.set(name, text),
      },
      channel: (name) => {
        const channel: Channel = {
          onmessage: null,
          close: () => {},
          postMessage: (data: unknown) => {
            for (const other of channels) {
              if (other.name !== name || other.channel === channel) continue
              other.channel.onmessage?.call({} as never, { data } as MessageEvent)
            }
          },
        }
        channels.push({ name, channel })
        return channel
      },
      open: (address, name, features) => opened.push(`${address} ${name} ${features}`),
      newName: () => `name-${(count += 1)}`,
    }
  }
  return { deps, opened }
}

describe('a pane in its own window', () => {
  it('is described by its address, which survives a reload [terminal.desktop.pop-out]', () => {
    const alone = { line: '. GP 15m; "a&b"', link: 'C', family: 'f-1' } as const
    expect(singlePaneOf(singlePaneAddress(alone))).toEqual(alone)
    expect(singlePaneOf('#c=SCAN')).toBeNull()
    expect(singlePaneOf('#alone=f')).toBeNull()
    expect(singlePaneOf('#alone=a%20b&c=SCAN')).toBeNull()
    expect(singlePaneOf('#alone=f&c=SCAN&link=Z')?.link).toBe('A')
  })

  it('shares its link groups with its original window [terminal.desktop.pop-out]', () => {
    const { deps, opened } = browser()
    const home = pageUnderTest(() => ({})).terminal
    const pane = home.newPane(
      {
        verb: 'GP',
        subject: { kind: 'focus' },
        args: {},
        filters: [],
        venue: null,
        flags: [],
        sink: null,
      },
      'B',
    )
    const family = new WindowFamily(home, deps())
    expect(family.show(pane)).toBe(true)
    expect(opened[0]).toMatch(
      /^\/#alone=name-1&link=B&c=\S+ augury-pane-name-2 popup,width=\d+,height=\d+$/,
    )
    const away = pageUnderTest(() => ({}))
    const other = Object.assign(away.terminal, {
      singlePane: { line: '. GP', link: 'B', family: family.name },
    })
    new WindowFamily(other, deps())
    home.focusMarket('B', 'KXFED-26DEC')
    expect(other.links.B).toBe('KXFED-26DEC')
    other.focusMarket('B', 'KXOIL-26DEC')
    expect(home.links.B).toBe('KXOIL-26DEC')
    // A terminal in another tab has a group of its own.
    const stranger = pageUnderTest(() => ({})).terminal
    new WindowFamily(stranger, deps())
    stranger.focusMarket('B', 'KXBTC')
    expect(home.links.B).toBe('KXOIL-26DEC')
  })

  it('does not access the layouts of the terminal [terminal.desktop.pop-out]', () => {
    const kept = new Map([['augury.layout', 'mine']])
    const keep = keepWithoutLayouts({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    })
    expect(keep.getItem('augury.layout')).toBeNull()
    keep.setItem('augury.layout', 'its')
    keep.setItem('augury.layout.good', 'its')
    keep.setItem('augury.settings', 'shared')
    expect([...kept]).toEqual([
      ['augury.layout', 'mine'],
      ['augury.settings', 'shared'],
    ])
  })
})
