import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'systolic-playground';

function App() {
  const sim = useRef(null);
  const [m, setM] = useState(6);
  const [cycle, setCycle] = useState(7);
  useEffect(() => {
    const follow = (event) => setCycle(event.detail.cycle);
    const element = sim.current;
    element.addEventListener('step', follow);
    return () => element.removeEventListener('step', follow);
  }, []);
  return (
    <>
      <label>M <input id="m" type="range" min="1" max="20" value={m} onChange={(event) => setM(event.target.value)} /></label>
      <output id="cycle">cycle {cycle}</output>
      <systolic-playground
        id="sim" ref={sim} src="https://playground.example/" rows={4} cols={4} m={m} k={4} n={3} df="ws" dt="int8" t={7}
        label="A 4×4 array" style={{ display: 'block', maxWidth: 900, aspectRatio: '8 / 5' }}
      />
    </>
  );
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
