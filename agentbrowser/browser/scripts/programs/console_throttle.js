/**
 * Limit the lines that a document writes to the console. Runs before its own scripts. Each line costs the driver, which
 * all clients share, and nothing stops a written line. The console keeps the browser's own functions, so that lines
 * report their source: only look-ups of the functions are counted.
 * @param {string} mark of the line that reports dropped ones
 * @param {number} limit lines per second
 */
export default function throttleConsole(mark, limit) {
  const names = ['debug', 'log', 'info', 'warn', 'error', 'trace', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed',
    'groupEnd', 'count', 'timeEnd', 'timeLog', 'clear'];
  const second = 1000;
  const { now } = Date;
  const later = self.setTimeout;
  const { console } = self;
  const report = console.debug;
  let windowStart = 0;
  let lines = 0;
  let dropped = 0;
  const reportDropped = () => {
    const count = dropped;
    dropped = 0;
    report(mark, count);
  };
  const dropLine = () => {
    dropped += 1;
    if (dropped === 1) later(reportDropped, second);
  };
  const isAllowed = () => {
    const time = now();
    if (time - windowStart >= second || time < windowStart) {
      windowStart = time;
      lines = 0;
    }
    lines += 1;
    return lines <= limit;
  };
  for (const name of names) {
    let own = console[name];
    Object.defineProperty(console, name, {
      configurable: true,
      enumerable: true,
      get: () => (isAllowed() ? own : dropLine),
      set: (replacement) => { own = replacement; },
    });
  }
}
