package binnacletest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// process is a running "binnacle test-servers".
type process struct {
	stdin  io.Writer
	errors *lastText
	// ended is closed when the process has closed its standard output.
	ended chan struct{}

	mutex   sync.Mutex
	lastID  int64
	waiting map[int64]chan answer
}

type answer struct {
	ID     int64           `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

var (
	processesMutex sync.Mutex
	processes      = map[string]*process{}
)

// sharedProcess returns the process of a command, and starts it when there is none.
func sharedProcess(command []string) (*process, error) {
	key := strings.Join(command, "\x00")
	processesMutex.Lock()
	defer processesMutex.Unlock()
	if running := processes[key]; running != nil && !running.hasEnded() {
		return running, nil
	}
	started, err := startProcess(command)
	if err == nil {
		processes[key] = started
	}
	return started, err
}

// startProcess holds the write end of a pipe for as long as this program runs: the process ends when that pipe closes.
func startProcess(command []string) (*process, error) {
	cmd := exec.Command(command[0], append(command[1:], "test-servers")...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{stdin: stdin, errors: &lastText{}, ended: make(chan struct{}), waiting: map[int64]chan answer{}}
	// The standard error of "go test" stays out of its hands: go would wait until every process has closed it.
	cmd.Stderr = p.errors
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("binnacle: %w", err)
	}
	go func() {
		p.read(stdout)
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// call sends a request and decodes its result, unless result is nil.
func (p *process) call(name string, fields map[string]any, result any) error {
	received, err := p.send(name, fields)
	if err != nil {
		return err
	}
	select {
	case got := <-received:
		if got.Error != "" {
			return errors.New(got.Error)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(got.Result, result)
	case <-p.ended:
		return fmt.Errorf("binnacle has ended: %s", p.errors)
	}
}

func (p *process) send(name string, fields map[string]any) (<-chan answer, error) {
	received := make(chan answer, 1)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.lastID++
	request := map[string]any{"id": p.lastID, "call": name}
	for key, value := range fields {
		request[key] = value
	}
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	p.waiting[p.lastID] = received
	if _, err := p.stdin.Write(append(line, '\n')); err != nil {
		delete(p.waiting, p.lastID)
		return nil, fmt.Errorf("binnacle has ended: %w %s", err, p.errors)
	}
	return received, nil
}

func (p *process) read(stdout io.Reader) {
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var got answer
		if json.Unmarshal(line, &got) != nil {
			continue
		}
		p.mutex.Lock()
		if received, ok := p.waiting[got.ID]; ok {
			delete(p.waiting, got.ID)
			received <- got
		}
		p.mutex.Unlock()
	}
}

// lastText keeps the end of what is written to it.
type lastText struct {
	mutex sync.Mutex
	text  []byte
}

const mostText = 16 * 1024

func (l *lastText) Write(piece []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.text = append(l.text, piece...)
	if len(l.text) > mostText {
		l.text = append([]byte(nil), l.text[len(l.text)-mostText:]...)
	}
	return len(piece), nil
}

func (l *lastText) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.TrimSpace(string(l.text))
}
