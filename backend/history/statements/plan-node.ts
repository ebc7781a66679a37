/** A node of a plan or of a parsed statement, as the engine writes it in JSON. */
export type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The elements of a list that are nodes; empty when it is not a list. */
export const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isNode) : []

/** Every child node of a node. */
export const childrenOf = (node: Node): Node[] => Object.values(node).filter(isNode)
