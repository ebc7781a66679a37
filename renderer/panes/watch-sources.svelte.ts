import { untrack } from 'svelte'
import type { Source } from '../api/source.svelte.ts'
import type { Topic } from '../api/socket/topics.svelte.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import { RetainedItems } from './retained-items.ts'

interface Watched {
  readonly terminal: Pick<Terminal, 'live' | 'pausing'>
  readonly pane: Pick<Pane, 'isPaused' | 'sources' | 'visible'>
  readonly sources: readonly Source[]
  /** Shown beside them: polled and included in the freshness, but published by no topic. */
  readonly beside?: readonly Source[]
  /** Topics that carry the same data. */
  readonly topics?: readonly Topic[]
  /** The topics carry everything that matters, so that the sources need not be polled often. */
  readonly isStreamed?: boolean
}

/**
 * Polls a pane's sources and subscribes to its topics while the pane is visible, and gives its
 * header their freshness. Call it during a component's initialisation.
 */
export function watchSources(watched: () => Watched): void {
  const live = $derived(watched().terminal.live)
  const pane = $derived(watched().pane)
  const isVisible = $derived(pane.visible)
  const sources = $derived(watched().sources)
  const allSources = $derived([...sources, ...(watched().beside ?? [])])
  const topics = $derived(watched().topics ?? [])
  const isPaused = $derived(watched().terminal.pausing.isAll || pane.isPaused)
  const isStreamed = $derived(isVisible && (watched().isStreamed ?? false))
  $effect(() => {
    pane.sources = allSources
  })
  keepEach(
    () => (isVisible ? allSources : []),
    (source) => live.subscribe(source),
  )
  keepEach(
    () => (isPaused ? allSources : []),
    (source) => live.pause(source),
  )
  keepEach(
    () => (isStreamed ? sources : []),
    (source) => live.feed(source),
  )
  $effect(() => (isVisible ? live.topics.subscribe(topics) : undefined))
  $effect(() => (isPaused ? live.topics.pause(topics) : undefined))
}

/** Keeps each listed item, also while the list around it changes, until the component ends. */
function keepEach<Item>(listed: () => readonly Item[], keep: (item: Item) => () => void): void {
  const retained = new RetainedItems(keep)
  $effect(() => {
    const items = listed()
    untrack(() => retained.follow(items))
  })
  $effect(() => () => retained.follow([]))
}
