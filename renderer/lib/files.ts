const LARGEST_FILE = 5_000_000

/** Downloads a text as a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/**
 * Opens a file picker; returns the file's text, null when none was chosen. @throws Error when too
 * large
 */
export function chosenText(kinds: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = kinds
    input.addEventListener('cancel', () => resolve(null))
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file === undefined) resolve(null)
      else if (file.size > LARGEST_FILE) {
        reject(new Error(`${file.name} is larger than 5 MB and was not read`))
      } else file.text().then(resolve, reject)
    })
    input.click()
  })
}
