import { untrack } from 'svelte'
import type { Source } from '../api/source.svelte.ts'
import type { Topic } from '../api/socket/topics.svelte.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import { RetainedItems } from './retained-items.ts'

interface WatchInputs {
  readonly terminal: Pick<Terminal, 'live' | 'pausing'>
  readonly pane: Pick<Pane, 'isPaused' | 'sources' | 'visible'>
  readonly sources: readonly Source[]
  /** Shown beside them: polled and included in the freshness, but published by no topic. */
  readonly extraSources?: readonly Source[]
  /** Topics that carry the same data. */
  readonly topics?: readonly Topic[]
  /** The topics carry everything that matters, so that the sources need not be polled often. */
  readonly isStreamed?: boolean
}

/**
 * Polls a pane's sources and subscribes to its topics while the pane is visible, and gives its
 * header their freshness. Call it during a component's initialisation.
 */
export function watchSources(inputs: () => WatchInputs): void {
  const live = $derived(inputs().terminal.live)
  const pane = $derived(inputs().pane)
  const isVisible = $derived(pane.visible)
  const sources = $derived(inputs().sources)
  const allSources = $derived([...sources, ...(inputs().extraSources ?? [])])
  const topics = $derived(inputs().topics ?? [])
  const isPaused = $derived(inputs().terminal.pausing.isAll || pane.isPaused)
  const isStreamed = $derived(isVisible && (inputs().isStreamed ?? false))
  $effect(() => {
    pane.sources = allSources
  })
  retainEach(
    () => (isVisible ? allSources : []),
    (source) => live.subscribe(source),
  )
  retainEach(
    () => (isPaused ? allSources : []),
    (source) => live.pause(source),
  )
  retainEach(
    () => (isStreamed ? sources : []),
    (source) => live.feed(source),
  )
  $effect(() => (isVisible ? live.topics.subscribe(topics) : undefined))
  $effect(() => (isPaused ? live.topics.pause(topics) : undefined))
}

/** Keeps each listed item, also while the list around it changes, until the component ends. */
function retainEach<Item>(
  currentItems: () => readonly Item[],
  retain: (item: Item) => () => void,
): void {
  const retainedItems = new RetainedItems(retain)
  $effect(() => {
    const items = currentItems()
    untrack(() => retainedItems.follow(items))
  })
  $effect(() => () => retainedItems.follow([]))
}
