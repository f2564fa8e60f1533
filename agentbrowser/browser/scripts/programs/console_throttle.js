// Runs in every document before its scripts, and keeps it from writing more than `limit` lines a second to the console.
// Each line costs the driver, which all clients share, and nothing stops a line that is written. The console's functions
// stay the browser's own, so that lines still say where they come from: only looking them up is counted.
export default function throttleConsole(mark, limit) {
  const names = ['debug', 'log', 'info', 'warn', 'error', 'trace', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed',
    'groupEnd', 'count', 'timeEnd', 'timeLog', 'clear'];
  const second = 1000;
  const { now } = Date;
  const later = self.setTimeout;
  const { console } = self;
  const tell = console.debug;
  let began = 0;
  let lines = 0;
  let untold = 0;
  const say = () => {
    const count = untold;
    untold = 0;
    tell(mark, count);
  };
  const gagged = () => {
    untold += 1;
    if (untold === 1) later(say, second);
  };
  const admits = () => {
    const time = now();
    if (time - began >= second || time < began) {
      began = time;
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
      get: () => (admits() ? own : gagged),
      set: (replacement) => { own = replacement; },
    });
  }
}
