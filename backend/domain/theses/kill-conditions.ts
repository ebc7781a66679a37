import type { TreeNode } from './tree.ts'

/** A kill condition as an evaluation found it. */
export interface KillCheck {
  readonly nodeId: string
  readonly text: string
  readonly triggered: boolean
  /** Evidence that decided it; null without any. */
  readonly evidence: string | null
}

/** A kill condition in words that a model found to be met, with the signal that it cites. */
export interface MetKill {
  readonly nodeId: string
  /** The condition that was read: its owner may have changed it meanwhile. */
  readonly text: string
  readonly signalId: string
}

/**
 * Checks each kill condition of a tree that was not handled before (methodology H3). Conditions in words need
 * a model.
 * @param prices headline prices of YES by ticker, cents
 * @param metKills what a model found of the conditions in words; null when none read them
 */
export const killChecks = (
  nodes: readonly TreeNode[],
  prices: ReadonlyMap<string, number>,
  metKills: readonly MetKill[] | null,
): KillCheck[] => nodes.flatMap((node) => checkOf(node, prices, metKills) ?? [])

function checkOf(
  node: TreeNode,
  prices: ReadonlyMap<string, number>,
  metKills: readonly MetKill[] | null,
): KillCheck | null {
  const { id: nodeId, killCondition: kill } = node
  if (kill === null || node.killHandled) return null
  const { text, op, value: limit } = kill
  if (op === 'text' || limit === null) {
    const metKill = metKills?.find(
      (candidate) => candidate.nodeId === nodeId && candidate.text === text,
    )
    if (metKill === undefined) {
      return {
        nodeId,
        text,
        triggered: false,
        evidence: metKills === null ? null : 'no signal meets it',
      }
    }
    return { nodeId, text, triggered: true, evidence: `signal ${metKill.signalId} meets it` }
  }
  const isPrice = op === 'price_below' || op === 'price_above'
  const ticker = kill.ticker ?? node.tickers[0] ?? null
  const value = isPrice ? (ticker === null ? undefined : prices.get(ticker)) : node.probability
  if (value === undefined) return { nodeId, text, triggered: false, evidence: null }
  const isBelow = op === 'prob_below' || op === 'price_below'
  const isTriggered = isBelow ? value < limit : value > limit
  const subject = isPrice ? `the price of its market, ${value}¢,` : `its probability, ${value},`
  const verb = `is${isTriggered ? '' : ' not'} ${isBelow ? 'below' : 'above'}`
  return {
    nodeId,
    text,
    triggered: isTriggered,
    evidence: `${subject} ${verb} ${limit}${isPrice ? '¢' : ''}`,
  }
}
