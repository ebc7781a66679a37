/** A possible match with its weight; `left` and `right` are indices of two lists. */
export interface WeightedEdge {
  readonly left: number
  readonly right: number
  /** Above 0. */
  readonly weight: number
}

/** Larger groups are matched greedily by weight, because the exact method is cubic. */
const EXACT_SIZE = 400

/** Splits edges into connected components. */
function components<E extends WeightedEdge>(edges: readonly E[]): E[][] {
  const parent = new Map<string, string>()
  const rootOf = (node: string): string => {
    let root = node
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root))
      root = up
    parent.set(node, root)
    return root
  }
  for (const { left, right } of edges) {
    const [a, b] = [rootOf(`l${left}`), rootOf(`r${right}`)]
    if (a !== b) parent.set(b, a)
  }
  return [...Map.groupBy(edges, ({ left }) => rootOf(`l${left}`)).values()]
}

function heaviestFirst<E extends WeightedEdge>(edges: readonly E[]): E[] {
  const [leftMarkets, rights] = [new Set<number>(), new Set<number>()]
  const sortedEdges = [...edges].sort(
    (x, y) => y.weight - x.weight || x.left - y.left || x.right - y.right,
  )
  return sortedEdges.filter(({ left, right }) => {
    if (leftMarkets.has(left) || rights.has(right)) return false
    leftMarkets.add(left)
    rights.add(right)
    return true
  })
}

/** The Hungarian method with potentials on a square cost matrix; returns the column of each row. */
function cheapestColumns(costs: readonly Float64Array[]): number[] {
  const size = costs.length
  const rowPotential = new Float64Array(size + 1)
  const columnPotential = new Float64Array(size + 1)
  const rowOf = new Int32Array(size + 1)
  const cameFrom = new Int32Array(size + 1)
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row
    let column = 0
    const min = new Float64Array(size + 1).fill(Infinity)
    const usedColumns = new Uint8Array(size + 1)
    do {
      usedColumns[column] = 1
      const current = rowOf[column] ?? 0
      let [delta, next] = [Infinity, 0]
      for (let j = 1; j <= size; j++) {
        if (usedColumns[j] === 1) continue
        const cost = costs[current - 1]?.[j - 1] ?? 0
        const reducedCost = cost - (rowPotential[current] ?? 0) - (columnPotential[j] ?? 0)
        if (reducedCost < (min[j] ?? 0)) {
          min[j] = reducedCost
          cameFrom[j] = column
        }
        if ((min[j] ?? 0) < delta) [delta, next] = [min[j] ?? 0, j]
      }
      for (let j = 0; j <= size; j++) {
        if (usedColumns[j] === 1) {
          const owner = rowOf[j] ?? 0
          rowPotential[owner] = (rowPotential[owner] ?? 0) + delta
          columnPotential[j] = (columnPotential[j] ?? 0) - delta
        } else min[j] = (min[j] ?? 0) - delta
      }
      column = next
    } while (rowOf[column] !== 0)
    do {
      const previous = cameFrom[column] ?? 0
      rowOf[column] = rowOf[previous] ?? 0
      column = previous
    } while (column !== 0)
  }
  const columns = new Array<number>(size).fill(-1)
  for (let j = 1; j <= size; j++) columns[(rowOf[j] ?? 0) - 1] = j - 1
  return columns
}

function exactMatching<E extends WeightedEdge>(edges: readonly E[]): E[] {
  const leftMarkets = [...new Set(edges.map(({ left }) => left))].sort((a, b) => a - b)
  const rights = [...new Set(edges.map(({ right }) => right))].sort((a, b) => a - b)
  const size = Math.max(leftMarkets.length, rights.length)
  if (size > EXACT_SIZE) return heaviestFirst(edges)
  const rows = new Map(leftMarkets.map((left, row) => [left, row]))
  const columns = new Map(rights.map((right, column) => [right, column]))
  const costs = leftMarkets.map(() => new Float64Array(size))
  while (costs.length < size) costs.push(new Float64Array(size))
  for (const { left, right, weight } of edges) {
    const row = costs[rows.get(left) ?? 0]
    if (row !== undefined) row[columns.get(right) ?? 0] = -weight
  }
  const assignment = cheapestColumns(costs)
  return edges.filter(({ left, right }) => assignment[rows.get(left) ?? -1] === columns.get(right))
}

/**
 * One-to-one matching with maximum total weight among possible matches (each pair of ends once), by
 * left then right. Exact for connected groups of up to 400 per side, greedy beyond.
 */
export function maximumMatching<E extends WeightedEdge>(edges: readonly E[]): E[] {
  const pairs = components(edges).flatMap((group) =>
    group.length === 1 ? group : exactMatching(group),
  )
  return pairs.sort((x, y) => x.left - y.left || x.right - y.right)
}
